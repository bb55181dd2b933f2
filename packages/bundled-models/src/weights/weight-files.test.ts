import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PortError } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUNDLED_WEIGHTS, readJsonWeight, readWeight } from './weight-files.ts'

/** What a checkout may grow to before it hurts. */
const MOST_BYTES = 80_000_000
const NAME = 'language-means.json'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'weights-'))
  for (const name of ['manifest.json', NAME]) copyFileSync(path.join(BUNDLED_WEIGHTS, name), path.join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true }))

function failureOf(act: () => unknown): PortError {
  try {
    act()
  } catch (error) {
    if (error instanceof PortError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('weight files', () => {
  it('are all in the manifest, sound, and together below 80 MB', () => {
    const names = readdirSync(BUNDLED_WEIGHTS).filter((name) => name !== 'manifest.json' && name !== 'LICENSES.md')
    const manifest = JSON.parse(readFileSync(path.join(BUNDLED_WEIGHTS, 'manifest.json'), 'utf8')) as { files: object }
    expect(Object.keys(manifest.files).toSorted()).toEqual(names.toSorted())
    for (const name of names) expect(() => readWeight(BUNDLED_WEIGHTS, name)).not.toThrow()
    const total = names.reduce((sum, name) => sum + statSync(path.join(BUNDLED_WEIGHTS, name)).size, 0)
    expect(total).toBeLessThan(MOST_BYTES)
  })

  it('are read when they are as built', () => {
    expect(Object.keys(readJsonWeight<object>(folder, NAME))).toEqual(['dz', 'qz', 'de', 'qe'])
  })

  it('are refused when a checkout or a full disk cut them off', () => {
    truncateSync(path.join(folder, NAME), 100)
    const error = failureOf(() => readWeight(folder, NAME))
    expect(error.failure).toBe('corrupt')
    expect(error.subject).toBe(path.join(folder, NAME))
    expect(error.message).toContain('100 bytes')
    expect(error.hint).toContain('git checkout')
  })

  it('are refused when one byte of the same size differs', () => {
    const bytes = readWeight(folder, NAME)
    bytes[50]! ^= 1
    writeFileSync(path.join(folder, NAME), bytes)
    expect(failureOf(() => readWeight(folder, NAME)).message).toContain('SHA-256')
  })

  it('are refused when missing, with the cause kept', () => {
    rmSync(path.join(folder, NAME))
    const error = failureOf(() => readWeight(folder, NAME))
    expect(error.failure).toBe('corrupt')
    expect((error.cause as NodeJS.ErrnoException).code).toBe('ENOENT')
  })

  it('are refused when the manifest is damaged or does not know them', () => {
    expect(failureOf(() => readWeight(folder, 'other.bin')).message).toContain('does not list other.bin')
    writeFileSync(path.join(folder, 'manifest.json'), '{')
    expect(failureOf(() => readWeight(folder, NAME)).message).toContain('is not JSON')
  })
})
