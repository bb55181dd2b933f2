import {
  retrievalRequestSchema,
  retrievalResponseSchema,
  searchRequestSchema,
  searchResponseSchema
} from '@oncall-agent/api-contracts'
import { z } from 'zod'
import { checkInput } from './check-input.ts'
import { documentWindowSchema, getDocument, getDocumentSchema } from './get-document.ts'
import { basesPageSchema, listBases, listBasesSchema } from './list-bases.ts'
import type { McpCaller, McpRooms } from './rooms.ts'

/** A tool as clients see it, and what it does. All of them only read. */
export interface KnowledgeTool {
  readonly name: string
  readonly title: string
  /** For a model: what it finds, when to call it. */
  readonly description: string
  /** JSON Schemas of objects. */
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** The answer, of the output schema. @throws AppError */
  readonly call: (input: unknown, from: McpCaller) => Promise<Readonly<Record<string, unknown>>>
}

export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown }

export function knowledgeTools(rooms: McpRooms): readonly KnowledgeTool[] {
  return [
    tool({
      name: 'knowledge_retrieval',
      title: 'Retrieve evidence',
      description:
        'Finds at most five passages of the team’s runbooks and documents that answer a question, each with its citation. ' +
        'Ask a whole question, with error codes and alert names as they are. An error means that nothing could be looked ' +
        'up; empty results mean that nothing is written about it.',
      input: retrievalRequestSchema,
      output: retrievalResponseSchema,
      call: (request, { caller, signal }) => rooms.retrieve(caller, request, signal)
    }),
    tool({
      name: 'structured_search',
      title: 'Search documents',
      description:
        'Finds documents by exact fields (project, equipment, error code, type) and keywords, and says how strictly they ' +
        'match. For "which documents are about E1001 on pump P-7"; for a question in words, knowledge_retrieval is better.',
      input: searchRequestSchema,
      output: searchResponseSchema,
      call: (request, { caller, language, signal }) => rooms.search(caller, request, { language, signal })
    }),
    tool({
      name: 'list_knowledge_bases',
      title: 'List knowledge bases',
      description: 'Lists the knowledge bases that may be read, with their ids for the filters of the other tools.',
      input: listBasesSchema,
      output: basesPageSchema,
      call: (page, { caller }) => listBases(rooms, caller, page)
    }),
    tool({
      name: 'get_document',
      title: 'Read a document',
      description:
        'Reads a document that a citation or a search names: what it is, and its text from `offset`. ' +
        '`nextOffset` of the answer is where to read on.',
      input: getDocumentSchema,
      output: documentWindowSchema,
      call: (asked, { caller }) => getDocument(rooms, caller, asked)
    })
  ]
}

interface ToolParts<Input extends z.ZodType, Output extends z.ZodType> extends Pick<
  KnowledgeTool,
  'name' | 'title' | 'description'
> {
  readonly input: Input
  readonly output: Output
  readonly call: (input: z.output<Input>, from: McpCaller) => Promise<unknown>
}

function tool<Input extends z.ZodType, Output extends z.ZodType>({
  input,
  output,
  call,
  ...described
}: ToolParts<Input, Output>): KnowledgeTool {
  return {
    ...described,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(output, 'output'),
    // What the schema does not have does not leave the process.
    call: async (given, from) => {
      const answer = await call(checkInput(input, given), from)
      return output.parse(answer) as Readonly<Record<string, unknown>>
    }
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, override: withoutReadOnly }) as JsonSchema
}

/** What TypeScript calls read-only says nothing of what can be sent. */
function withoutReadOnly({ jsonSchema: made }: { readonly jsonSchema: { readOnly?: boolean } }): void {
  delete made.readOnly
}
