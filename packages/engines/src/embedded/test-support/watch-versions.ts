// Run as a process: looks at the marked document until its input ends, then says how often and which versions it saw.
import { openTestReader } from './open-reader.ts'
import { wholeEntry } from './whole-entry.ts'
import { wholeVersion } from './whole-version.ts'

const { reader } = openTestReader(process.argv[2]!)
const versions = new Set<number>()
const faults: string[] = []
let looks = 0
let ended = false

process.stdin.on('end', () => {
  ended = true
})
process.stdin.resume()

function look(): void {
  try {
    const version = wholeVersion(reader)
    const entry = wholeEntry(reader)
    // The entry was looked at last, so it may be newer, and never older.
    if (entry < version) faults.push(`chunks are of version ${version}, the entry is of ${entry}`)
    versions.add(version)
  } catch (error) {
    faults.push(String(error))
  }
  if (looks++ === 0) process.stdout.write('watching\n')
  if (!ended) {
    setImmediate(look)
    return
  }
  reader.close()
  process.stdout.write(`${JSON.stringify({ looks, versions: versions.size, faults })}\n`)
}

look()
