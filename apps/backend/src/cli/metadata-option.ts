import { AppError } from '@oncall-agent/api-contracts'

/**
 * Reads `key=value` options. Filters compare with type, so a value that looks like a number or a boolean is one;
 * quotes keep it a string: `--meta 'port="8080"'`.
 * @throws AppError VALIDATION_FAILED naming the option
 */
export function metadataOption(pairs: readonly string[]): Record<string, string | number | boolean> {
  const metadata = new Map<string, string | number | boolean>()
  for (const pair of pairs) {
    const [key, value] = readPair(pair)
    if (metadata.has(key)) throw invalid(`--meta ${key}: may be given once; a document has one value of it`)
    metadata.set(key, value)
  }
  // Entries, not assignments: a key such as __proto__ is a key like any other.
  return Object.fromEntries(metadata)
}

function readPair(pair: string): [string, string | number | boolean] {
  const border = pair.indexOf('=')
  if (border < 1) {
    throw invalid(`--meta ${pair}: must have the form key=value`)
  }
  return [pair.slice(0, border), typedValue(pair.slice(border + 1))]
}

const NUMBER = /^-?\d+(\.\d+)?$/
const QUOTED = /^"(.*)"$/

function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  if (NUMBER.test(text)) return Number(text)
  return QUOTED.exec(text)?.[1] ?? text
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_FAILED', { operation: 'read options', subject: '--meta', message })
}
