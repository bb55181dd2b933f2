import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chunksOf, documentOf, pairOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import type { Scope, VectorRequest } from '@oncall-agent/retrieval'
import { StopReading } from '../reading/read-transaction.ts'
import { openTestReader } from '../test-support/open-reader.ts'
import type { OpenedReader } from '../test-support/open-reader.ts'
import { randomDocument, randomScope, randomVector } from '../test-support/random-documents.ts'
import { inTemporaryFolder, TEST_DIMENSION, testFingerprint } from '../test-support/temporary-index.ts'
import { CONTROL_WAITING } from '../vectors/vector-memory.ts'
import type { VectorMemory } from '../vectors/vector-memory.ts'
import { openWriter } from '../writing/index-writer.ts'
import { ScanHelper } from './scan-helper.ts'
import type { ScanHelperOptions } from './scan-helper.ts'

const KB = pairOf('tenant', 'kb')
const PAIRS = [KB, pairOf('tenant', 'second'), pairOf('other', 'kb')]
const everything: Scope = { pairs: PAIRS }
const SILENT = new URL('../test-support/silent-helper.ts', import.meta.url)

/** Counts what the helper was given and how each sharing ended. */
class CountedHelper extends ScanHelper {
  readonly ends: string[] = []

  override share(...given: Parameters<ScanHelper['share']>): ReturnType<ScanHelper['share']> {
    const shared = super.share(...given)
    if (shared === undefined) return undefined
    const finish = () => {
      const found = shared.finish()
      this.ends.push(found === 'again' ? found : 'found')
      return found
    }
    return { ...shared, finish }
  }
}

let helper: CountedHelper

beforeEach(() => {
  helper = undefined as never
})

afterEach(() => helper?.close())

function open(directory: string, options: ScanHelperOptions = {}): OpenedReader {
  return openTestReader(directory, (vectors: VectorMemory) => {
    helper = new CountedHelper(0, vectors, { worthSharing: 2, ...options })
    return helper
  })
}

/** Searches until the helper has taken part. */
async function searchedTogether({ reader }: OpenedReader, request: VectorRequest): Promise<unknown> {
  for (;;) {
    const { hits } = reader.vector(request, 1)
    if (helper.ends.length > 0) return hits
    await pause(5)
  }
}

function fill(directory: string, documents: number, chunksEach: number): Random {
  const random = new Random(20_261_201)
  const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 1_000 })
  for (let number = 0; number < documents; number++) {
    // An id belongs to one knowledge base: between two of one id and time no order is right.
    const id = number % 40
    const { document, chunks } = randomDocument(random, PAIRS[id % PAIRS.length]!, `d${id}`, chunksEach)
    writer.replace(document, chunks)
  }
  writer.close()
  return random
}

describe('a scan that two threads share', () => {
  it('finds what one thread finds, in every scope, with dead slots and ties', async () => {
    await inTemporaryFolder(async (directory) => {
      const random = fill(directory, 60, 50)
      const alone = openTestReader(directory).reader
      const together = open(directory)
      await searchedTogether(together, { vector: randomVector(random), scope: everything, limit: 5 })
      helper.ends.length = 0
      const ids = Array.from({ length: 40 }, (_, number) => `d${number}`)
      for (let round = 0; round < 200; round++) {
        const scope = randomScope(random, PAIRS, ids)
        const request = { vector: randomVector(random), scope, limit: random.pick([1, 5, 20, 100]) }
        expect(together.reader.vector(request, 1)).toEqual(alone.vector(request, 1))
      }
      expect(helper.ends.filter((end) => end === 'found').length).toBeGreaterThan(100)
      for (const reader of [alone, together.reader]) reader.close()
    })
  })

  it('is done again where more rows tie than the helper can tell', async () => {
    await inTemporaryFolder(async (directory) => {
      const vector = unitVector(TEST_DIMENSION, new Random(1))
      const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 1_000 })
      const same = Array.from({ length: 20_000 }, () => ({ content: 'disk', vector }))
      writer.replace(documentOf(KB, 'd'), chunksOf(same))
      writer.close()
      const together = open(directory)
      const request = { vector, scope: everything, limit: 3 }
      await searchedTogether(together, request)
      // On a busy machine the helper may come too late to take its half.
      while (!helper.ends.includes('again')) {
        const { hits } = together.reader.vector(request, 1)
        expect(hits.map(({ chunkId, score }) => [chunkId, score])).toEqual([
          ['d#0000', 1],
          ['d#0001', 1],
          ['d#0002', 1]
        ])
      }
      together.reader.close()
    })
  })

  it('stops for both when the caller has gone, and the next one is whole', async () => {
    await inTemporaryFolder(async (directory) => {
      const random = fill(directory, 40, 50)
      const together = open(directory)
      const request = { vector: randomVector(random), scope: everything, limit: 5 }
      const expected = await searchedTogether(together, request)
      together.stop(9)
      expect(() => together.reader.vector(request, 9)).toThrow(StopReading)
      expect(together.reader.vector(request, 10).hits).toEqual(expected)
      together.reader.close()
    })
  })

  it('is finished alone when the helper never ends, and is not shared again', async () => {
    await inTemporaryFolder(async (directory) => {
      const random = fill(directory, 40, 50)
      const alone = openTestReader(directory).reader
      const together = open(directory, { module: SILENT, lostAfterMs: 50 })
      const request = { vector: randomVector(random), scope: everything, limit: 20 }
      const { hits } = alone.vector(request, 1)
      expect(await searchedTogether(together, request)).toEqual(hits)
      expect(helper.ends).toEqual(['again'])
      expect(together.reader.vector(request, 1).hits).toEqual(hits)
      expect(helper.ends).toHaveLength(1)
      for (const reader of [alone, together.reader]) reader.close()
    })
  })

  it('is not shared while calls wait for a reader, or when it is small', async () => {
    await inTemporaryFolder(async (directory) => {
      const random = fill(directory, 40, 50)
      const together = open(directory, { worthSharing: 30 })
      const request = { vector: randomVector(random), scope: everything, limit: 5 }
      await searchedTogether(together, request)
      const shared = helper.ends.length
      Atomics.store(together.vectors.control, CONTROL_WAITING, 1)
      together.reader.vector(request, 1)
      Atomics.store(together.vectors.control, CONTROL_WAITING, 0)
      together.reader.vector({ ...request, scope: { pairs: [KB], documentIds: ['d1'] } }, 1)
      expect(helper.ends).toHaveLength(shared)
      together.reader.vector(request, 1)
      expect(helper.ends).toHaveLength(shared + 1)
      together.reader.close()
    })
  })
})
