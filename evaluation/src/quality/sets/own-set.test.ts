import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadSet } from './load-set.ts'

const directory = fileURLToPath(new URL('../../../sets/oncall-bilingual', import.meta.url))
const set = await loadSet(directory, { half: 'dev' })
const source = await readFile(join(directory, 'SOURCE.md'), 'utf8')

describe('our own set', () => {
  it('has the counts that its SOURCE.md states', () => {
    const chinese = set.documents.filter((document) => document.id.startsWith('zh-')).length
    expect(source).toContain(`documents: ${set.documents.length} (${chinese} zh, ${set.documents.length - chinese} en)`)
    const judgements = [...set.judgements.values()].reduce((sum, ofQuery) => sum + ofQuery.size, 0)
    expect(source).toContain(`queries: ${set.queries.length}, with ${judgements} judgements`)
    for (const prefix of ['zz', 'ee', 'ze', 'ez', 'id']) {
      const count = set.queries.filter((query) => query.id.startsWith(`${prefix}-`)).length
      expect(source, prefix).toMatch(new RegExp(`\`${prefix}\` [^,\\n]*? ${count}(,|$)`, 'm'))
    }
  })

  it('asks nothing that is not judged', () => {
    expect(set.leftOut).toEqual({ queriesWithoutJudgement: 0, judgedQueriesNotAsked: 0 })
  })

  it('asks across languages: the answers of such queries are in the other language', () => {
    const across = set.queries.filter(({ id }) => /^(ze|ez)-/.test(id))
    expect(across.length).toBeGreaterThan(10)
    for (const query of across) {
      const other = query.id.startsWith('ze') ? 'en-' : 'zh-'
      for (const document of set.judgements.get(query.id)!.keys()) expect(document.startsWith(other)).toBe(true)
    }
  })

  it('has the identifier of an identifier query in every document that answers it fully', () => {
    const texts = new Map(set.documents.map(({ id, title, text }) => [id, `${title}\n${text}`]))
    const ofIdentifiers = set.queries.filter(({ id }) => id.startsWith('id-'))
    expect(ofIdentifiers.length).toBeGreaterThan(5)
    for (const query of ofIdentifiers) {
      const identifier = /[A-Z]\w*[-_\w]*[A-Z0-9]\w*|\d{3}/.exec(query.text)![0]
      for (const [document, grade] of set.judgements.get(query.id)!) {
        expect(grade < 2 || texts.get(document)!.includes(identifier), `${query.text} in ${document}`).toBe(true)
      }
    }
  })
})
