import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireRunLock } from './run-lock.ts'

let folder: string
let holder: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oncall-lock-'))
})
afterEach(() => {
  holder?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Another process that holds the lock until it is killed. */
async function holdElsewhere(): Promise<ChildProcess> {
  const module = new URL('./run-lock.ts', import.meta.url).href
  const script = `import { acquireRunLock } from ${JSON.stringify(module)}
    globalThis.lock = acquireRunLock(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000)`
  holder = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(holder.stdout!, 'data')
  return holder
}

describe('the lock of a data folder', () => {
  it('is held by one at a time, and free after its release', () => {
    const lock = acquireRunLock(folder)
    expect(() => acquireRunLock(folder)).toThrow(expect.objectContaining({ code: 'DATA_LOCKED' }))
    lock.release()
    acquireRunLock(folder).release()
  })

  it('makes the folder when there is none', () => {
    acquireRunLock(join(folder, 'new/data')).release()
    expect(existsSync(join(folder, 'new/data'))).toBe(true)
  })

  it('names the process that holds it, and ends with that process, even by kill -9', async () => {
    const other = await holdElsewhere()
    expect(() => acquireRunLock(folder)).toThrow(
      expect.objectContaining({
        code: 'DATA_LOCKED',
        message: expect.stringContaining(`Another process (pid ${other.pid}, since `),
        details: { pid: other.pid, startedAt: expect.any(String) }
      })
    )
    other.kill('SIGKILL')
    await once(other, 'exit')
    acquireRunLock(folder).release()
  })

  it('says so when the folder cannot be made or written', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => acquireRunLock(join(folder, 'file/data'))).toThrow(
      expect.objectContaining({
        code: 'PATH_UNREADABLE',
        message: `The data folder cannot be used: ${folder}/file/data`
      })
    )
  })
})
