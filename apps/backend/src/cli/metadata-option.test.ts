import { describe, expect, it } from 'vitest'
import { metadataOption } from './metadata-option.ts'

describe('--meta key=value', () => {
  it('keeps the type that the value looks like, and quotes keep a string', () => {
    expect(metadataOption(['page=3', 'live=true', 'port="8080"', 'owner=platform', 'ratio=-0.5'])).toEqual({
      page: 3,
      live: true,
      port: '8080',
      owner: 'platform',
      ratio: -0.5
    })
  })

  it('keeps everything behind the first equals sign', () => {
    expect(metadataOption(['expr=a=b'])).toEqual({ expr: 'a=b' })
  })

  it('takes odd keys as keys like any other, and no key twice', () => {
    expect(Object.entries(metadataOption(['__proto__=1', 'constructor=x']))).toEqual([
      ['__proto__', 1],
      ['constructor', 'x']
    ])
    expect(() => metadataOption(['a=1', 'a=2'])).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it.each(['owner', '=platform'])('refuses %s, which has no key or no value', (pair) => {
    expect(() => metadataOption([pair])).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})
