import { describe, expect, it } from 'vitest'
import { checkEmbeddings } from './check-embeddings.ts'
import { documentIdOf } from './document-identity.ts'

const fingerprint = { model: 'm', dimension: 2, normalised: true, tokenizerVersion: '1' }
const answer = (...values: number[]) => ({ vector: Float32Array.from(values), tokenCount: 3 })

describe('checking an embedding answer', () => {
  it('accepts unit vectors, and any length where the model does not normalise', () => {
    expect(() => checkEmbeddings(['a', 'b'], [answer(1, 0), answer(0.6, 0.8)], fingerprint)).not.toThrow()
    expect(() => checkEmbeddings(['a'], [answer(3, 4)], { ...fingerprint, normalised: false })).not.toThrow()
  })

  it('names the text that the fault is in, and what was expected', () => {
    expect(() => checkEmbeddings(['a', 'b'], [answer(1, 0), answer(1, 0, 0)], fingerprint)).toThrow(
      'The embedding model gave an answer that cannot be used: for text 2 of 2 a vector of 3 numbers, 2 were expected.'
    )
    expect(() => checkEmbeddings(['a'], [], fingerprint)).toThrow('0 vectors for 1 texts')
  })
})

describe('a document id', () => {
  it('is the same for the same place, and another for another tenant, knowledge base or path', () => {
    const base = { tenantId: 't', knowledgeBaseId: 'k', ownerUserId: 'o' }
    const id = documentIdOf(base, '/srv/a.md')
    expect(documentIdOf({ ...base, ownerUserId: 'p' }, '/srv/a.md')).toBe(id)
    const others = [
      documentIdOf({ ...base, tenantId: 'u' }, '/srv/a.md'),
      documentIdOf({ ...base, knowledgeBaseId: 'l' }, '/srv/a.md'),
      documentIdOf(base, '/srv/b.md'),
      // Moving a character from one part to the next is another document too.
      documentIdOf({ ...base, tenantId: 'tk', knowledgeBaseId: '' }, '/srv/a.md')
    ]
    expect(new Set([id, ...others]).size).toBe(5)
    expect(id).toMatch(/^[0-9a-f]{16}$/)
  })
})
