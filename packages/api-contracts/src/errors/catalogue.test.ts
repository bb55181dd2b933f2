import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { type ErrorCode, errorCatalogue } from './catalogue.ts'
import { errorBodySchema, errorCodes } from './error-body.ts'

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
const documented = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  )

describe('the error catalogue', () => {
  test('is documented line for line: code, status, category and both messages', () => {
    const catalogued = Object.entries(errorCatalogue).map(([code, { status, category, message }]) => [
      `\`${code}\``,
      String(status),
      category,
      message.en,
      message.zh
    ])
    expect(documented.map((cells) => cells.slice(0, 5))).toEqual(catalogued)
  })

  test('tells for every code what to do', () => {
    for (const cells of documented) expect(cells[5], cells[0]).toMatch(/\w.*[.]$/)
  })

  test('is the list of codes of the error body, both ways', () => {
    expect([...errorBodySchema.shape.error.shape.code.options].toSorted()).toEqual(
      Object.keys(errorCatalogue).toSorted()
    )
  })

  test('has messages that are sentences in English and in Chinese', () => {
    for (const { message } of Object.values(errorCatalogue)) {
      expect(message.en).toMatch(/^[A-Z].*[.]$/)
      expect(message.zh).toMatch(/^\p{Script=Han}.*。$/u)
    }
  })

  test.each(errorCodes)('gives %s a status of an error', (code: ErrorCode) => {
    const error = new AppError(code, { operation: 'try' })
    expect(error.status).toBeGreaterThanOrEqual(400)
    expect(error.message).toBe(errorCatalogue[code].message.en)
  })
})

describe('the error body', () => {
  const error = { code: 'NOT_FOUND', message: 'It does not exist.', requestId: 'r1' }

  test('takes a code of the catalogue, with and without details', () => {
    expect(errorBodySchema.parse({ error })).toEqual({ error })
    expect(errorBodySchema.parse({ error: { ...error, details: { field: 'query' } } }).error.details).toEqual({
      field: 'query'
    })
  })

  test('refuses a code that the catalogue does not have', () => {
    expect(errorBodySchema.safeParse({ error: { ...error, code: 'OOPS' } }).success).toBe(false)
  })
})
