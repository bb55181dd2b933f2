import { describe, expect, it } from 'vitest'
import { type Metadata, metadataOption } from './metadata-option.ts'

const read = (pairs: readonly string[]) => pairs.reduce<Metadata>((before, pair) => metadataOption(pair, before), {})

describe('--meta key=value', () => {
  it('keeps the type that the value looks like, and quotes keep a string', () => {
    expect(read(['page=3', 'live=true', 'port="8080"', 'owner=platform', 'ratio=-0.5'])).toEqual({
      page: 3,
      live: true,
      port: '8080',
      owner: 'platform',
      ratio: -0.5
    })
  })

  it('keeps everything behind the first equals sign', () => {
    expect(read(['expr=a=b'])).toEqual({ expr: 'a=b' })
  })

  it('takes odd keys as keys like any other, and no key twice', () => {
    expect(Object.entries(read(['__proto__=1', 'constructor=x']))).toEqual([
      ['__proto__', 1],
      ['constructor', 'x']
    ])
    expect(() => read(['a=1', 'a=2'])).toThrow(/a may be given once/)
  })

  it.each(['owner', '=platform'])('refuses %s, which has no key or no value', (pair) => {
    expect(() => read([pair])).toThrow(/key=value/)
  })
})
