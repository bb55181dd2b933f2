import { basename, join, resolve } from 'node:path'
import type { Judgements } from '../metrics/ranking-metrics.ts'
import type { EvaluationSet, SetDocument, SetQuery } from './evaluation-set.ts'
import { readFields, readLines } from './read-lines.ts'
import { setMalformed } from './set-error.ts'

/** Which queries and judgements of a set: one of its halves by name, or two files. */
export type QuerySelection = { readonly half: string } | { readonly queries: string; readonly qrels: string }

/** Reads and checks a set. @throws AppError PATH_UNREADABLE, VALIDATION_FAILED with path and line */
export async function loadSet(directory: string, selection: QuerySelection): Promise<EvaluationSet> {
  const files = 'half' in selection ? halfFiles(directory, selection.half) : selection
  const documents = await readDocuments(join(directory, 'corpus.jsonl'))
  const asked = await readQueries(files.queries)
  const known = new Set(documents.map((document) => document.id))
  const judgements = await readJudgements(files.qrels, known)
  const queries = asked.filter((query) => judgements.has(query.id))
  if (queries.length === 0) throw setMalformed(files.qrels, 0, `no query of ${files.queries} is judged here`)
  return {
    name: basename(resolve(directory)),
    half: 'half' in selection ? selection.half : 'custom',
    documents,
    queries,
    judgements,
    leftOut: {
      queriesWithoutJudgement: asked.length - queries.length,
      judgedQueriesNotAsked: judgements.size - queries.length
    }
  }
}

/** Where a half’s two files are. */
function halfFiles(directory: string, half: string): { readonly queries: string; readonly qrels: string } {
  return { queries: join(directory, half, 'queries.jsonl'), qrels: join(directory, half, 'qrels.tsv') }
}

/** A text may be blank: sets hold such documents, and whether the product takes them is what is measured. */
async function readDocuments(path: string): Promise<readonly SetDocument[]> {
  const seen = new Set<string>()
  const documents: SetDocument[] = []
  for (const line of await readLines(path)) {
    const document = readFields(path, line, { required: ['id'], optional: ['title', 'text'] })
    if (seen.has(document.id)) throw setMalformed(path, line.number, `the id "${document.id}" stands twice`)
    seen.add(document.id)
    documents.push(document)
  }
  if (documents.length === 0) throw setMalformed(path, 0, 'there is no document')
  return documents
}

/** A query without words asks nothing, and is a fault of the set. */
async function readQueries(path: string): Promise<readonly SetQuery[]> {
  const seen = new Set<string>()
  const queries: SetQuery[] = []
  for (const line of await readLines(path)) {
    const query = readFields(path, line, { required: ['id', 'text'] })
    if (seen.has(query.id)) throw setMalformed(path, line.number, `the id "${query.id}" stands twice`)
    seen.add(query.id)
    queries.push(query)
  }
  if (queries.length === 0) throw setMalformed(path, 0, 'there is no query')
  return queries
}

/** Grades by query and document. A judgement of a document that is not there would make recall unreachable, so it is refused. */
async function readJudgements(path: string, known: ReadonlySet<string>): Promise<ReadonlyMap<string, Judgements>> {
  const all = new Map<string, Map<string, number>>()
  for (const line of await readLines(path)) {
    const fields = line.text.split('\t')
    const [query, document, grade] = fields
    if (fields.length !== 3 || !query || !document || grade === undefined) {
      throw setMalformed(path, line.number, 'a judgement is query, document and grade, divided by tabs')
    }
    if (!/^\d+$/.test(grade.trim())) {
      throw setMalformed(path, line.number, `the grade "${grade}" is not a whole number from 0`)
    }
    if (!known.has(document)) throw setMalformed(path, line.number, `the corpus has no document "${document}"`)
    const ofQuery = all.get(query) ?? new Map<string, number>()
    if (ofQuery.has(document)) throw setMalformed(path, line.number, `"${document}" is judged twice for "${query}"`)
    all.set(query, ofQuery.set(document, Number(grade)))
  }
  return all
}
