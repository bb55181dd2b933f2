import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reasonInName } from '../../test/outcome.ts'
import { installClsServer } from './install.ts'

test('the CLS tool server that can not be installed gives a reason that a skipped test can name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oncall-cls-'))
  const notAFolder = join(folder, 'file')
  await writeFile(notAFolder, '')
  const installed = await installClsServer(notAFolder)
  const reason = 'reason' in installed ? installed.reason : ''
  expect(reason).toMatch(/could not be installed|no Python/)
  expect(reasonInName(`CLS (skipped: ${reason})`)).toBe(reason)
  await rm(folder, { recursive: true })
})

test('the CLS tool server takes one version of each package, and only files whose hashes are known', async () => {
  const text = await readFile(join(import.meta.dirname, 'requirements.txt'), 'utf8')
  const packages = text.replaceAll('\\\n', ' ').trim().split('\n')
  expect(packages.some((line) => line.startsWith('cls-mcp-server==0.3.4'))).toBe(true)
  expect(packages.some((line) => /^mcp\S*==1\./.test(line))).toBe(true)
  for (const line of packages) expect(line).toMatch(/^[\w.[\]-]+==[\w.]+\s+(--hash=sha256:[\da-f]{64}\s*)+$/)
})
