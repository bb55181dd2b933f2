import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_KNOWLEDGE_TYPES, type StructuredEntry } from '@oncall-agent/retrieval'
import { entryOf, pairOf } from '@oncall-agent/retrieval/conformance'
import { shared } from '../../oncall.ts'
import { type Collection, vectorOfWords } from './collection.ts'

const sets = join(shared, 'eval/sets')

interface SetDocument {
  readonly id: string
  readonly title: string
  readonly text: string
}

type Fields = Pick<StructuredEntry, 'knowledgeType' | 'errorCodes'> & {
  readonly project: string
  readonly equipment: string | undefined
}

/** How a set's documents get their fields: only from ids, titles and texts as they are. */
interface RealSet {
  readonly folder: string
  readonly fieldsOf: (document: SetDocument, all: readonly SetDocument[]) => Fields
}

/** Runbooks of alerts, English: source, component, and the alerts that a page speaks of. All of one type. */
const alertRunbooks: RealSet = {
  folder: 'ops-alert-runbook-full',
  fieldsOf: ({ id, text }, all) => {
    const [project, ...folders] = id.split('/').slice(0, -1)
    const names = new Set(text.match(/\b[A-Z][A-Za-z0-9]+\b/g))
    const codes = new Set(all.map(({ title }) => title).filter((title) => names.has(title)))
    return { knowledgeType: 'alarm', project: project!, equipment: folders[0], errorCodes: [...codes] }
  }
}

/** A manual of connectors with its reference of errors, English: part of the manual, page, and the codes of the reference. */
const connectorErrors: RealSet = {
  folder: 'ops-seatunnel-errlog',
  fieldsOf: ({ id, title, text }, all) => {
    const isCode = id.startsWith('st/')
    const named = new Set(text.match(/\b\w+(?:-\w+)*-\d+\b/g))
    const codes = all.filter((each) => each.id.startsWith('st/')).map((each) => each.id.slice('st/'.length))
    const path = id.split('#')[0]!.split('/')
    return {
      knowledgeType: isCode ? 'experience' : 'setup',
      // The rows of the reference are of the manual's connector part.
      project: isCode ? 'connector-v2' : path[2]!.replace('.md', ''),
      equipment: isCode ? /^(.+) Error Codes/.exec(title)?.[1] : path.at(-1)!.replace('.md', ''),
      errorCodes: codes.filter((code) => named.has(code))
    }
  }
}

/** A database's errors, alerts and questions, Chinese: page, first component that the title names, and error numbers. */
const databaseErrors: RealSet = {
  folder: 'ops-tidb-errcode-zh',
  fieldsOf: ({ id, title, text }) => {
    const part = id.split('#')[0]!.split('/')[0]!.replace('.md', '')
    const codes = [...text.matchAll(/\b(?:Error Number: |ERROR |code=)(\d{4,5})\b/g)].map(([, code]) => code!)
    return {
      knowledgeType: part === 'alert-rules' ? 'alarm' : ['error-codes', 'faq'].includes(part) ? 'experience' : 'setup',
      project: part,
      equipment: /TiDB|TiKV|TiFlash|TiCDC|TiProxy|PD|DM/.exec(title)?.[0],
      errorCodes: [...new Set(codes)]
    }
  }
}

const realSets = { alertRunbooks, connectorErrors, databaseErrors }

export const realNames = Object.keys(realSets) as readonly (keyof typeof realSets)[]

export const areSetsPresent = Object.values(realSets).every(({ folder }) => existsSync(join(sets, folder)))

/** A public set as a collection, made anew each time and kept nowhere; one knowledge base a project. */
export function realCollection(name: keyof typeof realSets): Collection {
  const { folder, fieldsOf } = realSets[name]
  const documents = readLines<SetDocument>(join(sets, folder, 'corpus.jsonl'))
  const entries = documents.map((document, number) => {
    const { project, equipment, ...fields } = fieldsOf(document, documents)
    const { id, title, text } = document
    return entryOf(pairOf('tenant-real', project), id, {
      ...fields,
      project,
      ...(equipment === undefined ? {} : { equipment }),
      title,
      body: text,
      createdAt: 1_700_000_000_000 + number,
      vector: vectorOfWords(`${title} ${text}`)
    })
  })
  const queries = readLines<{ readonly text: string }>(join(sets, folder, 'dev/queries.jsonl'))
  return { name, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES, entries, sentences: queries.map(({ text }) => text) }
}

function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}
