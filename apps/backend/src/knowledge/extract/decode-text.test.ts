import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '@oncall-agent/api-contracts'
import { needsShared, readShared, sharedIsAbsent, sharedPath } from '../test-material/shared-files.ts'
import { cleanCharacters } from './clean-characters.ts'
import { decodeText } from './decode-text.ts'

/** "Connection pool exhausted: restart the service" and more, in GBK. */
const gbk = Buffer.from('cafdbeddbfe2c1acbdd3b3d8bac4bea1a3acc7ebd6d8c6f4b7fecef1a1a3', 'hex')
const big5 = Buffer.from('b8eaaec6ae77b3737bbda6c0aabab0dfc3442ca7dac3d2b0e9bbf2', 'hex')
const eucKr = Buffer.from('c0ccb0cdc0ba20c7d1b1b9beeeb7ce20b5c820b9aebcadc0d4b4cfb4d9', 'hex')
const eucJp = Buffer.from('a4b3a4ecb9d4c6fccadbb8a6b5e6cbdcb8ecb5ade1f5a4b9', 'hex')

/** The cleaned text, or the code of the refusal; any other error fails the test. */
function decodedOrCode(bytes: Uint8Array): string {
  try {
    return cleanCharacters(decodeText(bytes, 'a.md').text)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const isReadable = (file: string) => /^(?:GB2312|utf-8|UTF-16)/.test(file) || file.includes('bug431054')

describe('decoding text', () => {
  it('takes UTF-8 as it is and removes its byte order mark', () => {
    expect(decodeText(Buffer.from('﻿磁盘 disk'), 'a.md')).toEqual({ text: '磁盘 disk', encoding: 'utf-8' })
  })

  it('takes UTF-16 with a byte order mark, in both byte orders', () => {
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('重启 pod', 'utf16le')])
    expect(decodeText(little, 'a.md')).toEqual({ text: '重启 pod', encoding: 'utf-16le' })
    const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('重启 pod', 'utf16le').swap16()])
    expect(decodeText(big, 'a.md')).toEqual({ text: '重启 pod', encoding: 'utf-16be' })
  })

  it('recognises UTF-16 without a mark by its zero bytes', () => {
    const text = 'Restart the gateway, 重启网关。\n'
    expect(decodeText(Buffer.from(text, 'utf16le'), 'a.md')).toEqual({ text, encoding: 'utf-16le' })
    expect(decodeText(Buffer.from(text, 'utf16le').swap16(), 'a.md')).toEqual({ text, encoding: 'utf-16be' })
  })

  it('takes GB18030 when it reads like Chinese', () => {
    expect(decodeText(gbk, 'a.md')).toEqual({ text: '数据库连接池耗尽，请重启服务。', encoding: 'gb18030' })
  })

  it.each([
    ['Big5', big5],
    ['EUC-KR', eucKr],
    ['EUC-JP', eucJp],
    ['Latin-1', Buffer.from('r\xe9sum\xe9 for caf\xe9s', 'latin1')]
  ])('refuses %s instead of indexing rubbish', (_name, bytes) => {
    expect(() => decodeText(bytes, 'notes.md')).toThrow(/^notes\.md is in a text encoding that was not recognised$/)
  })

  it('refuses half a surrogate pair in UTF-16 and zero bytes in anything else', () => {
    expect(() => decodeText(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), 'a.md')).toThrow(
      /utf-16le but is not valid/
    )
    expect(() => decodeText(Buffer.from('a\0b text that is long enough'), 'a.md')).toThrow(/zero bytes/)
  })

  it('refuses a file that is full of lost characters and accepts a stray one', () => {
    expect(() => decodeText(Buffer.from('\uFFFD\uFFFD\uFFFD lost'), 'a.md')).toThrow(/already lost/)
    expect(decodeText(Buffer.from(`${'x'.repeat(200)}\uFFFD`), 'a.md').encoding).toBe('utf-8')
  })

  it('gives back any text that was written as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF') && !text.includes('\uFFFD'))
        expect(decodeText(Buffer.from(text), 'a.md').text).toBe(text)
      })
    )
  })

  it('never yields a lost character, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(decodedOrCode(bytes)).not.toContain('\uFFFD')
      }),
      { numRuns: 500 }
    )
  })
})

describe.skipIf(sharedIsAbsent)(`decoding real files${needsShared}`, () => {
  const files = sharedIsAbsent ? [] : readdirSync(sharedPath('files/encoding'))

  it.each(files.filter(isReadable))('%s comes out readable', (file) => {
    expect(decodeText(readShared(`files/encoding/${file}`), file).text).toMatch(/\S/)
  })

  it.each(files.filter((file) => !isReadable(file)))('%s is refused', (file) => {
    expect(() => decodeText(readShared(`files/encoding/${file}`), file)).toThrow(/not recognised/)
  })

  it('reads the GB2312 pages as the Chinese they are', () => {
    expect(decodeText(readShared('files/encoding/GB2312__cindychen.com.xml'), 'a').text).toMatch(/[的了是我]/)
    // Katakana has the same bytes in both encodings, so it comes out right by either.
    expect(decodeText(readShared('files/encoding/EUC-JP___mozilla_bug431054_text.html'), 'a').text).toContain(
      'ログイン'
    )
  })
})
