import { embedDocuments } from '../embed-documents.ts'
import { inOrder } from '../in-order.ts'
import { throughPort } from '../port-failure.ts'
import { readTarget, type ReadTarget } from './read-target.ts'
import type { ReindexRun } from './reindex-run.ts'
import { stateOf, type Target } from './targets.ts'

/** Read, embed, publish into the new index; what it holds already, from an earlier run, is not embedded again. */
export async function rebuildDocuments(run: ReindexRun, targets: Iterable<Target>): Promise<void> {
  const { embedder, settings } = run.parts
  const { signal } = run
  const read = inOrder(oneByOne(targets), settings.extraction.processes + 1, (target) => readTarget(run, target))
  const onEmbedded = (chunks: number): void => run.tally.embedded(chunks)
  for await (const { item, embeddings } of embedDocuments(toEmbed(run, read), { embedder, signal, onEmbedded })) {
    await item.rebuilt.publish(embeddings)
    settle(run, item, false)
  }
}

/** Takes out of the new index what is not to be in it any more. */
export async function removeDocuments(run: ReindexRun, documentIds: Iterable<string>): Promise<void> {
  for (const documentId of documentIds) {
    const pair = run.held.get(documentId)
    if (pair !== undefined) await throughPort(() => run.next.writer.deleteDocument(pair, documentId))
    run.held.delete(documentId)
    run.settled.delete(documentId)
    run.facts.delete(documentId)
    run.tally.forget(documentId)
  }
}

interface ToEmbed extends ReadTarget {
  readonly document: ReadTarget['rebuilt']['document']
}

async function* toEmbed(run: ReindexRun, read: AsyncIterable<ReadTarget | undefined>): AsyncGenerator<ToEmbed> {
  for await (const item of read) {
    if (item === undefined) continue
    const { rebuilt } = item
    const held = run.held.get(rebuilt.target.documentId)
    if (held?.contentHash === rebuilt.contentHash && held.version === rebuilt.version) settle(run, item, true)
    else yield { ...item, document: rebuilt.document }
  }
}

function settle(run: ReindexRun, { rebuilt, warnings }: ReadTarget, alreadyDone: boolean): void {
  const { target, contentHash, version, facts } = rebuilt
  const { documentId, tenantId, knowledgeBaseId } = target
  const chunks = rebuilt.document.chunks.length
  run.held.set(documentId, { contentHash, version, chunks, tenantId, knowledgeBaseId })
  run.settled.set(documentId, stateOf(target))
  if (facts === undefined) run.facts.delete(documentId)
  else run.facts.set(documentId, facts)
  run.tally.done(target, rebuilt.origin, { alreadyDone, warnings })
}

async function* oneByOne<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}
