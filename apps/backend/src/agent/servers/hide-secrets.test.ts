import { describe, expect, it } from 'vitest'
import { reasonsOf, withoutSecrets, withoutValues } from './hide-secrets.ts'

const hidden = '[hidden]'

describe('a secret that a server sends back', () => {
  it.each([
    ['as it is', 'it is TOPSECRET-value', `it is ${hidden}`],
    ['without its scheme', 'got abc-DEF-123', `got ${hidden}`],
    ['with its scheme', 'got Bearer abc-DEF-123', `got ${hidden}`],
    ['inside of JSON', JSON.stringify({ p: 'pa"ss\\word' }), `{"p":"${hidden}"}`],
    ['inside of an address', `?t=${encodeURIComponent('pa"ss\\word')}`, `?t=${hidden}`],
    ['in base64', Buffer.from('TOPSECRET-value').toString('base64'), hidden],
    ['with another that begins like it', 'TOPSECRET-value-LONGER', hidden]
  ])('is hidden %s', (_, text, shown) => {
    const secrets = {
      A: 'TOPSECRET-value',
      B: 'TOPSECRET-value-LONGER',
      authorization: 'Bearer abc-DEF-123',
      C: 'pa"ss\\word'
    }
    expect(withoutValues(text, secrets)).toBe(shown)
    expect(withoutSecrets(text, secrets)).not.toContain('abc-DEF-123')
  })

  it('is not what anybody may write', () => {
    expect(withoutValues('region eu, level 5', { REGION: 'eu', LEVEL: '5' })).toBe('region eu, level 5')
  })

  it('is not in the log either, where a parser has quoted its beginning', () => {
    let thrown: unknown
    try {
      JSON.parse('STDIOSECRET and a long line')
    } catch (cause) {
      thrown = new Error('a message could not be read', { cause })
    }
    expect(reasonsOf(thrown, { MYSECRET: 'STDIOSECRET and a' })).toBe(
      'a message could not be read; because: it is no JSON'
    )
  })
})
