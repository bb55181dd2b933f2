import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AuthBench, HOME, openAuthBench, PASSWORD, signedIn } from './test-material/auth-bench.ts'

let bench: AuthBench

beforeEach(async () => {
  bench = await openAuthBench()
})

afterEach(() => bench.close())

/** Every file of the data folder, the log that is not yet in the database among them. */
async function bytesOnDisk(): Promise<Buffer> {
  const files = await readdir(bench.directory)
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(bench.directory, file)))))
}

it('no password, token or key is in the data folder, neither as it is nor in another notation', async () => {
  const { caller, token } = await signedIn(bench.auth, 'ops-person')
  const { key, prefix } = await bench.auth.createApiKey(caller, { name: 'robot', scopes: ['retrieve'] })
  await bench.auth.callerOfKey(key)
  const wrong = 'a wrong password that somebody typed'
  await bench.auth.login({ username: wrong, password: wrong }, HOME).catch(() => undefined)
  await bench.auth.changePassword(caller, { currentPassword: PASSWORD, newPassword: 'the next password' })

  const disk = await bytesOnDisk()
  // What may be read is there, so this looks in the right place.
  for (const known of ['ops-person', 'robot', prefix]) expect(disk.includes(known), known).toBe(true)
  const secrets = [PASSWORD, 'the next password', wrong, token, key, key.slice('oncall_'.length)]
  for (const secret of secrets) {
    const decoded = Buffer.from(secret, 'base64url')
    for (const notation of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) {
      expect(disk.includes(notation), notation).toBe(false)
    }
    for (const notation of [decoded, decoded.toString('hex')]) expect(disk.includes(notation), secret).toBe(false)
  }
})
