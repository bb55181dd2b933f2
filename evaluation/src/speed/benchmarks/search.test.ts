import { describe, expect, it } from 'vitest'
import { Progress } from '../../cli/progress.ts'
import { temporaryFolder } from '../../test-material/temporary-folder.ts'
import { benchSearch } from './search.ts'

const folder = temporaryFolder()
const progress = new Progress({ write: () => true })

describe('the benchmark of structured search', () => {
  it('measures ours, and says what the rival lacks where there is no Java', async () => {
    const path = process.env.PATH
    process.env.PATH = folder.path
    try {
      const context = { chunks: 1000, cacheDirectory: folder.path, progress, signal: new AbortController().signal }
      const results = await benchSearch(context)
      const measured = results.filter(({ value }) => value !== null && value > 0)
      expect(measured.map(({ name }) => name)).toEqual(['search.p50', 'search.p95'])
      const missing = results.filter(({ value }) => value === null)
      expect(missing.map(({ name, ok, note }) => [name, ok, note])).toEqual([
        ['search.opensearch-p50', null, expect.stringMatching(/^skipped: OpenSearch needs Java/)],
        ['search.faster-than-opensearch', null, expect.stringMatching(/^skipped: OpenSearch needs Java/)],
        ['search.p95-over-opensearch-p50', null, expect.stringMatching(/^skipped: OpenSearch needs Java/)]
      ])
    } finally {
      process.env.PATH = path
    }
  })
})
