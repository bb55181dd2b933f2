import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { packagesInstalled } from './packages-installed.ts'

const zod = { version: '4.0.0', integrity: 'sha512-a' }
const wanted = { '': {}, 'packages/api': { version: '0.1.0' }, 'node_modules/zod': zod }

describe('whether the packages of the lock file are installed', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'oncall-lock-'))
    mkdirSync(join(root, 'node_modules'))
    write('package-lock.json', wanted)
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const write = (file: string, packages: object): void => writeFileSync(join(root, file), JSON.stringify({ packages }))
  const installed = (packages: object): void => write('node_modules/.package-lock.json', packages)

  test('yes, when npm recorded the same versions', () => {
    installed({ 'packages/api': { version: '0.1.0' }, 'node_modules/zod': zod })
    expect(packagesInstalled(root)).toBe(true)
  })

  test('no, in a fresh clone', () => {
    expect(packagesInstalled(root)).toBe(false)
  })

  test.each([
    ['another version', { 'node_modules/zod': { ...zod, version: '4.0.1' } }],
    ['another content of the same version', { 'node_modules/zod': { ...zod, integrity: 'sha512-b' } }],
    ['a package that is missing', {}],
    ['a package that the lock file has dropped', { 'node_modules/zod': zod, 'node_modules/old': zod }]
  ])('no, with %s', (_case, packages) => {
    installed(packages)
    expect(packagesInstalled(root)).toBe(false)
  })

  test('yes, when only an optional package of another processor is missing', () => {
    write('package-lock.json', { ...wanted, 'node_modules/zod-win32': { ...zod, optional: true } })
    installed({ 'packages/api': { version: '0.1.0' }, 'node_modules/zod': zod })
    expect(packagesInstalled(root)).toBe(true)
  })
})
