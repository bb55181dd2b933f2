import { readFileSync } from 'node:fs'

/** Texts of our own, and what Python made of them (build/record_references.py). */
export interface RecordedTexts {
  readonly queries: readonly string[]
  readonly passages: readonly { readonly title: string; readonly text: string }[]
}

export interface RecordedEncoding {
  readonly ids: readonly number[]
  /** Composite vector, float16 in base64. */
  readonly vector: string
  /** USE as the unmodified package gives it, float16 in base64. */
  readonly usePackage: string
}

export interface RecordedPair {
  readonly query: number
  readonly passage: number
  /** With float32 token vectors, neither clustered nor quantised. */
  readonly maxSim: number
  /** With token vectors in their stored form, by scipy and numpy. */
  readonly storedMaxSim: number
  readonly e5: number
  readonly use: number
  readonly otherLanguage: number
  readonly identifiers: number
  readonly title: number
  readonly coverage: number
}

export interface RecordedResults {
  readonly queries: readonly RecordedEncoding[]
  readonly passages: readonly RecordedEncoding[]
  readonly pairs: readonly RecordedPair[]
}

export const TEXTS = read<RecordedTexts>('texts.json')
export const RESULTS = read<RecordedResults>('reference.json')

function read<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Shape
}

/** Searched text of a recorded passage. */
export function passageText({ title, text }: { readonly title: string; readonly text: string }): string {
  return `${title}\n${text}`
}

export function decodeHalves(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64')
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) => {
    const half = bytes.readUInt16LE(2 * i)
    const sign = half >> 15 === 0 ? 1 : -1
    const exponent = (half >> 10) & 31
    const fraction = half & 1023
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
  })
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, left, right] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    left += a[i]! ** 2
    right += b[i]! ** 2
  }
  return dot / Math.sqrt(left * right)
}
