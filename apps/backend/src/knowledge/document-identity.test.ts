import { describe, expect, it } from 'vitest'
import { type ContentConditions, contentHashOf } from './document-identity.ts'
import { defaultKnowledgeSettings } from './settings.ts'

const { chunking, entries } = defaultKnowledgeSettings
const fingerprint = { model: 'm', dimension: 8, normalised: true, tokenizerVersion: 'v1' }
const usual: ContentConditions = {
  embedder: { fingerprint, keepsTokenVectors: true },
  chunking,
  entries,
  extension: '.md'
}
const bytes = Buffer.from('text')

describe('what makes a document worth indexing again', () => {
  it('is nothing when nothing has changed', () => {
    expect(contentHashOf(bytes, { ...usual })).toBe(contentHashOf(Buffer.from('text'), usual))
    const knowledgeTypes = entries.knowledgeTypes.toReversed()
    expect(contentHashOf(bytes, { ...usual, entries: { ...entries, knowledgeTypes } })).toBe(
      contentHashOf(bytes, usual)
    )
  })

  it.each<[string, ContentConditions]>([
    ['another model', { ...usual, embedder: { fingerprint: { ...fingerprint, model: 'n' }, keepsTokenVectors: true } }],
    ['token vectors switched off', { ...usual, embedder: { fingerprint, keepsTokenVectors: false } }],
    ['another chunk size', { ...usual, chunking: { ...chunking, size: 240 } }],
    ['one chunk a document', { ...usual, chunking: 'whole' }],
    ['another type of knowledge', { ...usual, entries: { ...entries, knowledgeTypes: ['experience', 'runbook'] } }],
    ['another default type', { ...usual, entries: { ...entries, defaultType: 'alarm' } }],
    ['another title', { ...usual, title: 'Disk' }],
    ['another extension', { ...usual, extension: '.pdf' }]
  ])('is %s', (_what, conditions) => {
    expect(contentHashOf(bytes, conditions)).not.toBe(contentHashOf(bytes, usual))
  })

  it('is another byte', () => {
    expect(contentHashOf(Buffer.from('texts'), usual)).not.toBe(contentHashOf(bytes, usual))
  })
})
