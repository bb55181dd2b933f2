import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { compose } from '@oncall-agent/backend'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { KnowledgeIndex } from '@oncall-agent/retrieval'
import { type BenchContext, effort, fixedChunksOf, smallerCorpusOf } from '../bench-context.ts'
import { benchCorpus, type BenchCorpus } from '../corpus/bench-corpus.ts'
import { chunksOf, documentOf, withoutTokenVectors } from '../corpus/fill-index.ts'
import { keptIndexFolder, openKeptIndex, syntheticFingerprint } from '../corpus/kept-index.ts'
import { median, percentile, timeOnce } from '../measure/samples.ts'
import { atLeast, atMost, type BenchResult, judge } from '../results/bench-result.ts'
import { startServer } from '../server-process.ts'
import { dimension } from './vector.ts'

/** Documents that are really indexed, and sections in each; a section is one chunk of about 300 tokens. */
const documents = 6
const fewDocuments = 2
const sectionsPerDocument = 16
/** Between two looks at the server while it is indexed beside it. */
const lookEveryMs = 50
const replacedChunks = 200
const replacements = 7

/** Indexing a folder with the bundled model beside a server that answers, and the index's own writing. */
export async function benchIngest(context: BenchContext): Promise<readonly BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'oncall-bench-'))
  try {
    return [
      ...(await indexBesideServer(context, folder)),
      await writeAlone(context, join(folder, 'written')),
      await replaceInLarge(context, join(folder, 'replaced'))
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The real command’s work in this process, and a real server in another over the same data folder. */
async function indexBesideServer(context: BenchContext, folder: string): Promise<readonly BenchResult[]> {
  const corpus = benchCorpus({ chunks: 1000, fixedChunks: 10, dimension })
  const count = effort(context, documents, fewDocuments)
  const sources = await writeDocuments(corpus, folder, count)
  const data = join(folder, 'data')
  const server = await startServer(data)
  const application = await compose({ dataDirectory: data }, 'bench')
  const over = new AbortController()
  const looking = lookAt(server.address, over.signal)
  try {
    context.progress.step(`indexing ${count} documents`)
    // The models are loaded by the first document, which is not counted.
    await application.indexFolder({ paths: [sources.first], knowledgeBase: 'bench' }, watchOf(context))
    const { ms, value } = await timeOnce(() =>
      application.indexFolder({ paths: sources.rest, knowledgeBase: 'bench' }, watchOf(context))
    )
    over.abort()
    return rates(value.chunks, ms, await looking)
  } finally {
    over.abort()
    await looking
    await application.close()
    await server.stop()
  }
}

/** Milliseconds of each answer of /health until it is over. */
async function lookAt(address: string, over: AbortSignal): Promise<readonly number[]> {
  const looks: number[] = []
  while (!over.aborted) {
    const { ms } = await timeOnce(async () => {
      const answer = await fetch(`${address}/health`)
      await answer.text()
    })
    looks.push(ms)
    await wait(lookEveryMs)
  }
  return looks
}

/** Chunks as the chunker made them; the texts are sized so that each is about 300 tokens. */
function rates(chunks: number, ms: number, looks: readonly number[]): readonly BenchResult[] {
  return [
    judge(
      {
        name: 'ingest.chunks-per-second',
        value: (chunks / ms) * 1000,
        unit: 'chunks/s',
        note: `${chunks} chunks of about 300 tokens from Markdown files, bundled embedder with its default threads, a server beside it`
      },
      atLeast(6)
    ),
    judge({
      name: 'ingest.health-p95',
      value: percentile(looks, 0.95),
      unit: 'ms',
      note: `/health of that server, asked ${looks.length} times meanwhile`
    })
  ]
}

/** Markdown files with a heading a section; the first is for warming up. */
async function writeDocuments(
  corpus: BenchCorpus,
  folder: string,
  count: number
): Promise<{ first: string; rest: string[] }> {
  const paths: string[] = []
  for (let number = 0; number < count; number++) {
    const sections = Array.from(
      { length: sectionsPerDocument },
      (_, section) => `## Section ${section + 1}\n\n${corpus.text(number * sectionsPerDocument + section)}\n`
    )
    const path = join(folder, `runbook-${number}.md`)
    await writeFile(path, `# Runbook ${number}\n\n${sections.join('\n')}`)
    paths.push(path)
  }
  return { first: paths[0]!, rest: paths.slice(1) }
}

/** Progress is not shown: it would be timed too. */
function watchOf({ signal }: BenchContext): { readonly signal: AbortSignal; readonly onProgress: () => void } {
  return { signal, onProgress: () => undefined }
}

/** Only the index: texts and vectors are made before. */
async function writeAlone(context: BenchContext, directory: string): Promise<BenchResult> {
  const chunks = smallerCorpusOf(context.chunks)
  const corpus = benchCorpus({ chunks, fixedChunks: fixedChunksOf(context.chunks), dimension })
  // Made before the clock runs: texts and vectors are not the index's work.
  const made = corpus.layout.documents.map((slot) => ({
    document: documentOf(corpus, slot, 1),
    chunks: chunksOf(corpus, slot, withoutTokenVectors)
  }))
  const index = await openEmbeddedIndex({ directory, fingerprint: syntheticFingerprint(dimension) })
  try {
    context.progress.step(`writing ${chunks} chunks`)
    const { ms } = await timeOnce(async () => {
      for (const each of made) await index.writer.replaceDocument(each.document, each.chunks)
    })
    const note = `${chunks} chunks in documents of up to 20, vectors given, one transaction a document`
    return judge({ name: 'ingest.index-write', value: (chunks / ms) * 1000, unit: 'chunks/s', note }, atLeast(1000))
  } finally {
    await index.close()
  }
}

/** In a copy, so that the kept corpus stays what it is. */
async function replaceInLarge(context: BenchContext, directory: string): Promise<BenchResult> {
  const corpus = benchCorpus({ chunks: context.chunks, fixedChunks: fixedChunksOf(context.chunks), dimension })
  const kept = await openKeptIndex(context, corpus, syntheticFingerprint(dimension), withoutTokenVectors)
  await kept.close()
  await cp(keptIndexFolder(context, corpus), directory, { recursive: true })
  const index = await openEmbeddedIndex({ directory, fingerprint: syntheticFingerprint(dimension) })
  try {
    context.progress.step(`replacing a document of ${replacedChunks} chunks`)
    const times = await replaceRepeatedly(corpus, index)
    const note = `a document of ${replacedChunks} chunks among ${context.chunks}, median of ${times.length}`
    return judge({ name: 'ingest.replace-document', value: median(times), unit: 'ms', note }, atMost(150))
  } finally {
    await index.close()
  }
}

/** The first writing only puts the document there; each later one replaces it by other text. */
async function replaceRepeatedly(corpus: BenchCorpus, index: KnowledgeIndex): Promise<readonly number[]> {
  const times: number[] = []
  for (let version = 1; version <= replacements + 1; version++) {
    const slot = {
      documentId: 'replaced',
      knowledgeBaseId: corpus.layout.tenth,
      first: version * replacedChunks,
      count: replacedChunks
    }
    const chunks = chunksOf(corpus, slot, withoutTokenVectors)
    const { ms } = await timeOnce(() => index.writer.replaceDocument(documentOf(corpus, slot, version), chunks))
    if (version > 1) times.push(ms)
  }
  return times
}
