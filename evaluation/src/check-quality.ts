import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultCacheDirectory, openCacheDirectory } from './cache/cache-directory.ts'
import { Progress } from './cli/progress.ts'
import { runQualityChecks } from './quality/check/run-quality-checks.ts'

/** The team's collections beside the repository; a clone without them is held to its own set. */
const sharedSets = fileURLToPath(new URL('../../../shared/eval/sets', import.meta.url))
const ownSets = fileURLToPath(new URL('../sets', import.meta.url))

const progress = new Progress(process.stderr)
const lines = await runQualityChecks({
  folders: { own: ownSets, shared: existsSync(sharedSets) ? sharedSets : undefined },
  cacheDirectory: await openCacheDirectory(defaultCacheDirectory()),
  onStep: (text) => progress.step(text)
})
progress.end()
for (const { ok, text } of lines) console.log(`${ok ? 'ok    ' : 'FAILED'} ${text}`)
const failed = lines.filter((line) => !line.ok).length
console.log(
  failed === 0 ? 'Retrieval quality holds.' : `Retrieval quality: ${failed} of ${lines.length} checks failed.`
)
process.exitCode = failed === 0 ? 0 : 1
