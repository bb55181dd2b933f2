import { InvalidArgumentError } from 'commander'

export type Metadata = Readonly<Record<string, string | number | boolean>>

/**
 * Reads one `key=value` more of an option that may be repeated. Filters compare with type, so a value that looks like a number or a boolean is one;
 * quotes keep it a string: `--meta 'port="8080"'`.
 * @throws InvalidArgumentError, wrong usage
 */
export function metadataOption(pair: string, before: Metadata): Metadata {
  const [key, value] = readPair(pair)
  if (Object.hasOwn(before, key))
    throw new InvalidArgumentError(`${key} may be given once; a document has one value of it.`)
  // Entries, not assignments: a key such as __proto__ is a key like any other.
  return Object.fromEntries([...Object.entries(before), [key, value]])
}

function readPair(pair: string): [string, string | number | boolean] {
  const border = pair.indexOf('=')
  if (border < 1) throw new InvalidArgumentError('It must have the form key=value.')
  return [pair.slice(0, border), typedValue(pair.slice(border + 1))]
}

const NUMBER = /^-?\d+(\.\d+)?$/
const QUOTED = /^"(.*)"$/

function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  if (NUMBER.test(text)) return Number(text)
  return QUOTED.exec(text)?.[1] ?? text
}
