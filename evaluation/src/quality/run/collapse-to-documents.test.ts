import { describe, expect, it } from 'vitest'
import { collapseToDocuments } from './collapse-to-documents.ts'

describe('collapsing chunks to documents', () => {
  it('keeps each document at the place and score of its best chunk', () => {
    const chunks = [
      { documentId: 'b', score: 0.9 },
      { documentId: 'a', score: 0.8 },
      { documentId: 'b', score: 0.7 },
      { documentId: 'c', score: null }
    ]
    expect(collapseToDocuments(chunks)).toEqual([chunks[0], chunks[1], chunks[3]])
    expect(collapseToDocuments([])).toEqual([])
  })
})
