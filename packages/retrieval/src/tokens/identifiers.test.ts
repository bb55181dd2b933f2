import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifiers, tokenize } from './index.ts'

describe('identifiers', () => {
  it('finds codes, addresses, paths, camelCase and capitals in a question, in lower case', () => {
    expect(identifiers('Pod OOM 了：KubePodCrashLooping，10.0.0.1:8080 报 E_CONN_RESET，v1/chat 返回 504')).toEqual([
      'oom',
      'kubepodcrashlooping',
      '10.0.0.1:8080',
      'e_conn_reset',
      'v1/chat',
      '504'
    ])
  })

  it('does not take plain words, capitalised words, or single characters for identifiers', () => {
    expect(identifiers('Why is the api slow? A 5 网关')).toEqual([])
  })

  it('takes joined words for identifiers, since service names look like that', () => {
    expect(identifiers('api-gateway down')).toEqual(['api-gateway'])
  })

  it('gives each once, in order of first appearance', () => {
    expect(identifiers('E_2 E_1 e_2')).toEqual(['e_2', 'e_1'])
  })

  it('only gives what tokenize gives too, so that it can be looked up in an index', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const tokens = new Set(tokenize(text))
        for (const identifier of identifiers(text)) expect(tokens).toContain(identifier)
      })
    )
  })
})
