import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compose } from '@oncall-agent/backend'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test-material/temporary-folder.ts'
import { startServer } from './server-process.ts'

const folder = temporaryFolder()

async function indexedFolder(): Promise<string> {
  const data = join(folder.path, 'data')
  const source = join(folder.path, 'source')
  await mkdir(source, { recursive: true })
  await writeFile(join(source, 'disk.md'), '# Disk full\n\nTruncate the log, do not delete it.\n')
  const application = await compose({ dataDirectory: data }, 'test')
  const watch = { signal: new AbortController().signal, onProgress: () => undefined }
  await application.indexFolder({ paths: [source], knowledgeBase: 'default' }, watch)
  await application.close()
  return data
}

describe('a server process', () => {
  it('starts, answers, tells its memory and ends', async () => {
    const server = await startServer(await indexedFolder())
    expect(server.healthyAfterMs).toBeGreaterThan(0)
    const answer = (await server.retrieve('the disk is full')) as { results: { content: string }[] }
    expect(answer.results[0]!.content).toContain('Truncate the log')
    // Both models are loaded now: less than 100 MB would be another process.
    expect(await server.residentBytes()).toBeGreaterThan(100e6)
    await server.stop()
    await expect(fetch(`${server.address}/health`)).rejects.toThrow(/fetch failed/)
  })

  it('tells what a question that is refused was answered', async () => {
    const server = await startServer(join(folder.path, 'data'))
    await expect(server.retrieve('')).rejects.toThrow(/400.*VALIDATION_FAILED/)
    await server.stop()
  })

  it('says why when the server cannot start', async () => {
    const file = join(folder.path, 'a-file')
    await writeFile(file, '')
    await expect(startServer(file)).rejects.toThrow(/the server ended with 1 before it listened/)
  })
})
