import type { Client } from '@modelcontextprotocol/sdk/client/index.js'

type Called = Awaited<ReturnType<Client['callTool']>>

export const TOOLS = ['knowledge_retrieval', 'structured_search', 'list_knowledge_bases', 'get_document']

/** What a tool answered; fails when it answered with an error. */
export function structured({ isError, structuredContent, content }: Called): unknown {
  if (isError === true) throw new Error(JSON.stringify(content))
  return structuredContent
}

/** The error that a tool answered with; fails when it answered well. */
export function failureOf({ isError, structuredContent, content, _meta: meta }: Called): Failure {
  if (isError !== true) throw new Error(`no error: ${JSON.stringify(structuredContent)}`)
  const error = meta?.['oncall-agent/error'] as Failure
  const [{ text }] = content as [{ text: string }]
  if (text !== `${error.code}: ${error.message}`) throw new Error(`${text} is not ${error.code}: ${error.message}`)
  return error
}

interface Failure {
  readonly code: string
  readonly message: string
}
