import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reasonInName } from '../test/outcome.ts'
import { installFuzzer } from './install-fuzzer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncall-fuzzer-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('installing the API fuzzer', () => {
  test('that fails gives a reason that a skipped test can name', async () => {
    const notAFolder = join(folder, 'file')
    await writeFile(notAFolder, '')
    const installed = await installFuzzer(notAFolder)
    const reason = 'reason' in installed ? installed.reason : ''
    expect(reason).toMatch(/could not be installed|no Python/)
    expect(reasonInName(`fuzz (skipped: ${reason})`)).toBe(reason)
  })

  test('takes one version of each package, and only files whose hashes are known', async () => {
    const text = await readFile(join(import.meta.dirname, 'requirements.txt'), 'utf8')
    const packages = text.replaceAll('\\\n', ' ').trim().split('\n')
    expect(packages.some((line) => line.startsWith('schemathesis=='))).toBe(true)
    for (const line of packages) expect(line).toMatch(/^[\w.-]+==[\w.]+( ; [^-]+)?\s+(--hash=sha256:[\da-f]{64}\s*)+$/)
  })
})
