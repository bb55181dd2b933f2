import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { repository, runbooks, temporaryFolder } from '../oncall.ts'

const run = promisify(execFile)
const LANGUAGES = ['en', 'zh']

async function blocksOf(language: string): Promise<readonly string[]> {
  const guide = await readFile(join(repository, 'docs/guides', language, 'operations.md'), 'utf8')
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands = '']) => commands)
}

describe('the guide for who runs it', () => {
  // One language is enough: the other has the same commands.
  it('has commands that work, in its order', async () => {
    const place = await temporaryFolder()
    try {
      await cp(runbooks, join(place.path, 'runbooks'), { recursive: true })
      const script = (await blocksOf('en')).join('\n').replaceAll('bin/oncall', join(repository, 'bin/oncall'))
      const { stdout, stderr } = await run('sh', ['-euc', script], { cwd: place.path, timeout: 170_000 })
      expect(stdout).toContain('E_CONN_RESET')
      expect(stdout).toMatch(/ana .*may sign in/)
      expect(stderr).toContain('The new index is in place.')
    } finally {
      await place.remove()
    }
  })

  it('has the same commands in each language', async () => {
    const [english, chinese] = await Promise.all(LANGUAGES.map(blocksOf))
    expect(chinese).toEqual(english)
    expect(english!.length).toBeGreaterThan(5)
  })
})
