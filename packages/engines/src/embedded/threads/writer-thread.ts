import { workerData } from 'node:worker_threads'
import type { ChunkToPublish, StructuredEntry } from '@oncall-agent/retrieval'
import { openWriter } from '../writing/index-writer.ts'
import { failureMessage } from './failure-message.ts'
import { BACKGROUND } from './messages.ts'
import type { ThreadSettings, WriterCalls } from './messages.ts'
import { unpackChunks } from './packed-chunks.ts'
import { report, serve } from './serve.ts'

/** Steps of compaction after each write even when the next one waits, so that it keeps up with bulk loading. */
const STEPS_PER_WRITE = 2

/** Quiet time before the log is copied back: copying after each write of a series would sync the disk each time. */
const CHECKPOINT_AFTER_MS = 200

const settings = workerData as ThreadSettings
const parts = new Map<number, ChunkToPublish[]>()
const entryParts = new Map<number, StructuredEntry[]>()
let opened: ReturnType<typeof openWriter> | undefined
let idleSteps: NodeJS.Immediate | undefined
let checkpoint: NodeJS.Timeout | undefined

function writer(): ReturnType<typeof openWriter> {
  opened ??= openWriter(settings)
  return opened
}

/** Compacts while no call comes in: each step gives way to the messages that have arrived. */
function compactWhenIdle(): void {
  clearImmediate(idleSteps)
  clearTimeout(checkpoint)
  if (opened === undefined) return
  idleSteps = setImmediate(() => {
    if (inBackground(() => opened?.compactStep('idle'))) compactWhenIdle()
    else checkpoint = setTimeout(() => inBackground(() => opened?.checkpoint()), CHECKPOINT_AFTER_MS)
  })
}

/** A failure leaves the index as it was, and is reported; the work is taken up again after the next write. */
function inBackground<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    report({ id: BACKGROUND, failure: failureMessage(error, 'compact index') })
    return undefined
  }
}

serve<WriterCalls>(
  {
    part: ({ id, chunks }) => {
      const before = parts.get(id) ?? []
      parts.set(id, [...before, ...unpackChunks(chunks)])
      return null
    },
    replace: ({ id, document, entry }) => {
      const chunks = parts.get(id) ?? []
      parts.delete(id)
      writer().replace(document, chunks, entry)
      return null
    },
    delete: ({ pair, documentId }) => writer().delete(pair, documentId),
    replaceEntry: (entry) => {
      writer().entries.replace(entry)
      return null
    },
    deleteEntry: ({ pair, documentId }) => writer().entries.delete(pair, documentId),
    entryPart: ({ id, entries }) => {
      const before = entryParts.get(id)
      if (before === undefined) entryParts.set(id, [...entries])
      else before.push(...entries)
      return null
    },
    rebuild: (id) => {
      const entries = entryParts.get(id) ?? []
      entryParts.delete(id)
      writer().entries.rebuild(entries)
      return null
    },
    forget: (id) => {
      entryParts.delete(id)
      return null
    },
    compact: () => {
      while (writer().compactStep('idle'));
      return null
    },
    close: () => {
      clearImmediate(idleSteps)
      clearTimeout(checkpoint)
      opened?.close()
      opened = undefined
      return null
    }
  },
  {
    idle: () => {
      // A write that has arrived in part is not kept waiting for a step; it brings steps of its own.
      if (parts.size > 0 || entryParts.size > 0) {
        clearImmediate(idleSteps)
        clearTimeout(checkpoint)
        return
      }
      for (let step = 0; step < STEPS_PER_WRITE && inBackground(() => opened?.compactStep('busy')) === true; step++);
      compactWhenIdle()
    }
  }
)
