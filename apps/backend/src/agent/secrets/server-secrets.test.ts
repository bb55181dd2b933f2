import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServerSecrets } from './server-secrets.ts'

const run = promisify(execFile)
const owner = { id: 'server-1', tenantId: 'ana' }
const secrets = { API_TOKEN: 'geheim 秘密', OTHER: '' }

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oncall-secrets-'))
  file = join(folder, 'keys', 'mcp.key')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fromFile = () => createServerSecrets({ given: '', file })
const fromSetting = (given: string) => createServerSecrets({ given, file })
const aKey = (fill: number) => Buffer.alloc(32, fill).toString('base64')

describe('secrets of tool servers', () => {
  test('come back as they were, and nothing of them can be read in between', async () => {
    const sealed = await fromFile().seal(secrets, owner)
    expect(await fromFile().unseal(sealed, owner)).toEqual(secrets)
    expect(sealed).toMatch(/^s1\.[\da-f]{12}\.[\w-]+\.[\w-]+\.[\w-]+$/)
    for (const part of sealed!.split('.')) expect(Buffer.from(part, 'base64url').toString()).not.toContain('geheim')
    expect(await fromFile().seal(secrets, owner)).not.toBe(sealed)
  })

  test('that are none need no key', async () => {
    expect(await fromFile().seal({}, owner)).toBeNull()
    expect(await fromFile().unseal(null, owner)).toEqual({})
    expect(await readdir(folder)).toEqual([])
  })

  test('open for no other server and no other tenant', async () => {
    const sealed = await fromFile().seal(secrets, owner)
    for (const other of [
      { ...owner, id: 'server-2' },
      { ...owner, tenantId: 'bob' }
    ]) {
      await expect(fromFile().unseal(sealed, other)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    }
  })

  test('that somebody changed are damaged, whatever was changed', async () => {
    const sealed = (await fromFile().seal(secrets, owner))!
    const parts = sealed.split('.')
    for (const at of [0, 2, 3, 4]) {
      const changed = parts.with(at, parts[at]!.startsWith('B') ? `C${parts[at]!.slice(1)}` : `B${parts[at]!.slice(1)}`)
      await expect(fromFile().unseal(changed.join('.'), owner)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    }
    await expect(fromFile().unseal(parts.slice(0, 3).join('.'), owner)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
  })

  test('of another key say so, and what to do', async () => {
    const sealed = await fromSetting(aKey(1)).seal(secrets, owner)
    const failure = await fromSetting(aKey(2))
      .unseal(sealed, owner)
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('another key') as string })
    expect(JSON.stringify(failure)).not.toMatch(/geheim|AQEB|AgIC/)
    expect(await fromSetting(aKey(1)).unseal(sealed, owner)).toEqual(secrets)
  })

  test('whose key file is lost say so; none is made for reading', async () => {
    const sealed = await fromFile().seal(secrets, owner)
    await rm(file)
    await expect(fromFile().unseal(sealed, owner)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'The key that seals the secrets of tool servers is missing.'
    })
    expect(await readdir(join(folder, 'keys'))).toEqual([])
  })
})

describe('the key file', () => {
  test('is made for its owner alone, whatever the mask, and nothing is left beside it', async () => {
    await run(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      `process.umask(0)
       const { createServerSecrets } = await import(${JSON.stringify(join(import.meta.dirname, 'server-secrets.ts'))})
       await createServerSecrets({ given: '', file: ${JSON.stringify(file)} }).seal({ a: 'b' }, { id: 'i', tenantId: 't' })`
    ])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'keys'))).toEqual(['mcp.key'])
    expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32)
  })

  test('is one, when many make it at once', async () => {
    const sealed = await Promise.all(Array.from({ length: 20 }, () => fromFile().seal(secrets, owner)))
    expect(new Set(sealed.map((text) => text!.split('.')[1])).size).toBe(1)
    for (const text of sealed) expect(await fromFile().unseal(text, owner)).toEqual(secrets)
  })

  test.each([0o640, 0o604, 0o660, 0o644])('of mode %o is refused, for sealing and for unsealing', async (mode) => {
    const sealed = await fromFile().seal(secrets, owner)
    await chmod(file, mode)
    const refused = { code: 'CONFIG_INVALID', hint: `chmod 600 ${file}` }
    await expect(fromFile().seal(secrets, owner)).rejects.toMatchObject(refused)
    await expect(fromFile().unseal(sealed, owner)).rejects.toMatchObject(refused)
    await chmod(file, 0o600)
    expect(await fromFile().unseal(sealed, owner)).toEqual(secrets)
  })

  test.each(['', 'short', 'A'.repeat(44), `${'A'.repeat(42)}!=`])('that holds %j holds no key', async (content) => {
    await fromFile().seal(secrets, owner)
    await writeFile(file, content)
    await expect(fromFile().seal(secrets, owner)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('is not needed where the settings have the key', async () => {
    const sealed = await fromSetting(aKey(7)).seal(secrets, owner)
    expect(await fromSetting(aKey(7)).unseal(sealed, owner)).toEqual(secrets)
    expect(await readdir(folder)).toEqual([])
  })
})
