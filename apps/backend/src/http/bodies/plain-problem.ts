import type { Issue } from '@oncall-agent/api-contracts'
import type { z } from 'zod'

/** Characters of a field's name that are repeated; it may be the caller's own. */
const FIELD_LIMIT = 80

/** What is wrong, for contracts that do not say it themselves. Never repeats the value. */
export const plainProblem: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kindOf(issue.expected)}`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'too_small':
      return `must ${boundOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    case 'unrecognized_keys':
      return 'is not known here'
    case 'invalid_key':
      return 'has a key that is not allowed'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return 'has a form that is not allowed'
  }
}

/** The first fault of each field, for the others follow from it; a key that nothing is known of is a field of its own. */
export function issuesOf(error: z.ZodError, whole: string): readonly Issue[] {
  const problems = new Map<string, string>()
  for (const issue of error.issues) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const path of paths) {
      const field = fieldName(path) || whole
      if (!problems.has(field)) problems.set(field, issue.message)
    }
  }
  return [...problems].map(([field, problem]) => ({ field, problem }))
}

function fieldName(path: readonly PropertyKey[]): string {
  const name = path
    .map(String)
    .join('.')
    .replaceAll(/\p{Cc}/gu, ' ')
  return name.length > FIELD_LIMIT ? `${name.slice(0, FIELD_LIMIT).toWellFormed()}…` : name
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object'
}

function kindOf(expected: string): string {
  return kinds[expected] ?? 'of another type'
}

function boundOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unitOf(origin: string, count: number | bigint): string {
  const one = Number(count) === 1
  if (origin === 'string') return one ? ' character' : ' characters'
  if (origin === 'array') return one ? ' item' : ' items'
  return ''
}
