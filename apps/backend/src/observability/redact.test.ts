import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HIDDEN, redact, redactText } from './redact.ts'

describe('redacted text', () => {
  test.each([
    ['https://bob:hunter22@es.local:9200/_search', `https://${HIDDEN}@es.local:9200/_search`],
    ['GET /v1?api_key=abc123&size=5', `GET /v1?api_key=${HIDDEN}&size=5`],
    ['authorization: Bearer eyJhbGciOi.J9', `authorization: Bearer ${HIDDEN}`],
    ['the key sk-abcdefghijklmnop was refused', `the key ${HIDDEN} was refused`],
    ['{"password":"hunter22","user":"bob"}', `{"password":"${HIDDEN}","user":"bob"}`],
    ['apiKey=hunter22, retry', `apiKey=${HIDDEN}, retry`],
    ['KB_RERANK__API_KEY=hunter22 is set', `KB_RERANK__API_KEY=${HIDDEN} is set`],
    [`the key oncall_${'aB3-_'.repeat(8)}xyz is revoked`, `the key ${HIDDEN} is revoked`],
    ['Cookie: oncall_session=hunter22; theme=dark', `Cookie: ${HIDDEN}`],
    ['sent oncall_session=hunter22; and more', `sent oncall_session=${HIDDEN}; and more`]
  ])('hides the secret of %s', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test.each([
    'E_CONN_RESET 怎么恢复',
    'mail ops@example.org',
    'http://127.0.0.1:8000/ready',
    'tokens per chunk: 480',
    'oncall_retrieval_stage_duration_seconds_bucket',
    'cookies are crumbs',
    'the secretary'
  ])('leaves %s alone', (text) => expect(redactText(text)).toBe(text))
})

describe('a redacted value', () => {
  test('hides what stands under the name of a secret, at any depth', () => {
    const value = { embedding: { apiKey: 'k', model: 'm' }, headers: [{ 'X-Api-Key': 'k' }, { cookie: ['a=b'] }] }
    expect(redact(value)).toEqual({
      embedding: { apiKey: HIDDEN, model: 'm' },
      headers: [{ 'X-Api-Key': HIDDEN }, { cookie: HIDDEN }]
    })
  })

  test('keeps settings whose names only look like secrets', () => {
    const value = { maxTokens: 512, tokenVectors: true, tokenCount: 3, apiKey: '', password: null }
    expect(redact(value)).toEqual(value)
  })

  test('is a copy: the original keeps its secret', () => {
    const value = { apiKey: 'k' }
    redact(value)
    expect(value).toEqual({ apiKey: 'k' })
  })

  test('ends on a value that contains itself', () => {
    const value: Record<string, unknown> = {}
    value.self = value
    expect(JSON.stringify(redact(value))).toContain('[deeper]')
  })

  test('never shows a password of a URL, wherever it stands', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9]{8,20}$/)
    fc.assert(
      fc.property(word, fc.array(fc.string(), { maxLength: 3 }), (password, path) => {
        const shown = JSON.stringify(redact({ note: [...path, `at https://u:${password}@h/`] }))
        expect(shown.includes(`:${password}@`)).toBe(false)
      })
    )
  })
})
