import { z } from 'zod'

/**
 * Builders of one setting each. A value comes from YAML as what it is, or from the environment as text; both are
 * taken. The message is what is allowed, so that the start can say it; the value itself is never repeated.
 */
export function wholeNumber(min: number, max: number): z.ZodType<number> {
  const error = `a whole number from ${min} to ${max}`
  return z.preprocess(numberFromText, z.int(error).min(min, error).max(max, error)) as z.ZodType<number>
}

export function decimal(min: number, max: number): z.ZodType<number> {
  const error = `a number from ${min} to ${max}`
  return z.preprocess(numberFromText, z.number(error).min(min, error).max(max, error)) as z.ZodType<number>
}

/** Several names in one text, with commas between; each once, at least one. */
export function names(meaning: string, allowed: RegExp): z.ZodType<readonly string[]> {
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isName)
  const isName = (each: unknown): boolean => typeof each === 'string' && allowed.test(each)
  return z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value),
    z.custom<readonly string[]>(isList, meaning)
  )
}

export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  note = ''
): z.ZodType<Values[number]> {
  return z.enum(values, { error: `${listed(values)}${note}` }) as unknown as z.ZodType<Values[number]>
}

export function text(meaning: string, allowed: RegExp = /\S/): z.ZodType<string> {
  return z.string(meaning).regex(allowed, meaning)
}

/** A text that may be empty, which is how something is left out. */
export function optionalText(meaning: string, allowed: RegExp = /\S/): z.ZodType<string> {
  return z.string(meaning).refine((value) => value === '' || allowed.test(value), meaning)
}

/** `on` and `off`, as YAML 1.2 reads them (texts), and what YAML 1.1 readers are used to. */
export function onOff(): z.ZodType<boolean> {
  return z.preprocess(
    (value) => switchWords.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value,
    z.boolean('on or off')
  ) as z.ZodType<boolean>
}

const switchWords = new Map<unknown, boolean>([
  ['on', true],
  ['true', true],
  ['yes', true],
  ['off', false],
  ['false', false],
  ['no', false]
])

function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? `only ${values[0]}` : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
