import { PortError } from '@oncall-agent/retrieval'
import { unusableAnswer } from '../call/explain-failure.ts'

/** What was asked, and of whom; for the check and for what is said when it fails. */
export interface EmbeddingsAsked {
  readonly operation: string
  readonly model: string
  readonly dimension: number
  readonly count: number
}

const BYTES_PER_NUMBER = 4

/**
 * The vectors of an answer `{ data: [{ index, embedding }] }`, in the order of the texts, each of length 1. Taken only if
 * there is exactly one for each text, of the right width, finite and not zero. An embedding is a list of numbers, or
 * float32 little-endian in base64.
 * @throws PortError `unavailable` naming what is wrong, `model-mismatch` for another width
 */
export function readEmbeddings(answer: unknown, asked: EmbeddingsAsked): readonly Float32Array[] {
  const unusable = (what: string): PortError => unusableAnswer(asked.operation, asked.model, what)
  const data = isRecord(answer) ? answer.data : undefined
  if (!Array.isArray(data)) throw unusable('it has no list of vectors')
  if (data.length !== asked.count) throw unusable(`it has ${data.length} vectors for ${asked.count} texts`)
  const vectors: Float32Array[] = []
  for (const [position, item] of (data as readonly unknown[]).entries()) {
    const where = `vector ${position + 1} of ${asked.count}`
    const { index, embedding } = isRecord(item) ? item : {}
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= asked.count) {
      throw unusable(`${where} has no index of a text`)
    }
    if (vectors[index] !== undefined) throw unusable(`${where} repeats the index of another`)
    const numbers = typeof embedding === 'string' ? decodeBase64(embedding) : embedding
    if (!Array.isArray(numbers) || numbers.length === 0) throw unusable(`${where} is empty`)
    if (numbers.length !== asked.dimension) throw otherWidth(numbers.length, asked)
    if (!numbers.every(Number.isFinite)) throw unusable(`${where} holds something that is no finite number`)
    const unit = normalise(numbers as readonly number[])
    if (unit === undefined) throw unusable(`${where} is all zeros`)
    vectors[index] = unit
  }
  return vectors
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function decodeBase64(text: string): readonly number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % BYTES_PER_NUMBER !== 0) return undefined
  return Array.from({ length: bytes.length / BYTES_PER_NUMBER }, (_, i) => bytes.readFloatLE(i * BYTES_PER_NUMBER))
}

/** Divided by the greatest value first, so that no square is lost to the range of the numbers. */
function normalise(numbers: readonly number[]): Float32Array | undefined {
  let greatest = 0
  for (const value of numbers) greatest = Math.max(greatest, Math.abs(value))
  if (greatest === 0) return undefined
  let square = 0
  for (const value of numbers) square += (value / greatest) ** 2
  const length = Math.sqrt(square)
  return Float32Array.from(numbers, (value) => value / greatest / length)
}

function otherWidth(found: number, { operation, model, dimension }: EmbeddingsAsked): PortError {
  return new PortError('model-mismatch', {
    operation,
    subject: model,
    reason: `the model gives vectors of ${found} numbers, the configuration says ${dimension}`,
    hint: 'Set embedding.dimension to the width of the model, or configure the model that the index was built with.'
  })
}
