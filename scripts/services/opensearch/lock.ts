import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
/** Milliseconds: longer than the longest build. */
const LONGEST_WAIT_MS = 360_000

/**
 * Waits until this process alone holds the file, and gives what releases it. A holder that died is not waited for.
 * @throws Error when a living process holds it for longer than any build takes
 */
export async function holdLock(file: string): Promise<() => Promise<void>> {
  const end = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' })
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (await holderIsGone(file)) await rm(file, { force: true })
    else if (Date.now() > end) throw new Error(`another process has been building for too long; delete ${file}`)
    else await sleep(POLL_MS)
  }
}

async function holderIsGone(file: string): Promise<boolean> {
  const pid = Number(await readFile(file, 'utf8').catch(() => ''))
  // Just released, or just taken and not yet written.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
