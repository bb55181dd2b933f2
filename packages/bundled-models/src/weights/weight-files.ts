import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PortError } from '@oncall-agent/retrieval'

/** The weights that the package ships. */
export const BUNDLED_WEIGHTS = fileURLToPath(new URL('../../weights', import.meta.url))

const MANIFEST = 'manifest.json'
const OPERATION = 'load model weights'
const RESTORE =
  'Restore the file from version control (git checkout -- packages/bundled-models/weights), ' +
  'or rebuild the folder as packages/bundled-models/build/README.md says.'

interface Manifest {
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>
}

/**
 * Bytes of one weight file, checked against the manifest (size, then SHA-256: about 30 ms for the largest).
 * A model that was cut off by a full disk or a failed checkout would still load and answer nonsense.
 * @throws PortError corrupt: the file is missing, of another size or of other content; the hint says how to restore it
 */
export function readWeight(folder: string, name: string): Buffer {
  const expected = readManifest(folder).files[name]
  if (expected === undefined) throw corrupt(path.join(folder, MANIFEST), `does not list ${name}`)
  const bytes = readOrFail(path.join(folder, name))
  if (bytes.length !== expected.bytes) {
    throw corrupt(path.join(folder, name), `has ${bytes.length} bytes instead of ${expected.bytes}`)
  }
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual !== expected.sha256) throw corrupt(path.join(folder, name), 'does not have the recorded SHA-256')
  return bytes
}

/** As `readWeight`, parsed. The shape is the caller's claim; the hash proves that it is the file that was built. */
export function readJsonWeight<T>(folder: string, name: string): T {
  return JSON.parse(readWeight(folder, name).toString('utf8')) as T
}

function readManifest(folder: string): Manifest {
  const file = path.join(folder, MANIFEST)
  const text = readOrFail(file).toString('utf8')
  try {
    return JSON.parse(text) as Manifest
  } catch (cause) {
    throw corrupt(file, 'is not JSON', cause)
  }
}

function readOrFail(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw corrupt(file, 'cannot be read', cause)
  }
}

function corrupt(subject: string, reason: string, cause?: unknown): PortError {
  return new PortError('corrupt', { operation: OPERATION, subject, reason, hint: RESTORE, cause })
}
