import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeDataSettings } from './data-settings-file.ts'
import { loadSettings } from './load-settings.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'oncall-data-settings-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const file = () => join(data, 'settings.yaml')
const load = (env: Record<string, string> = {}) => loadSettings({ env, overrides: { data: { dir: data } } })

describe('the settings of a data folder', () => {
  test('win over the shipped ones, and the environment wins over them', () => {
    writeFileSync(file(), 'search: { titleBoost: 5, rrfWindow: 100 }')
    const { search } = load({ KB_SEARCH__RRF_WINDOW: '20' })
    expect([search.titleBoost, search.rrfWindow, search.vectorWeight]).toEqual([5, 20, 0.5])
  })

  test('are those of the folder that is meant in the end, wherever it is named', () => {
    const other = join(data, 'other')
    mkdirSync(other)
    writeFileSync(file(), 'search: { titleBoost: 5 }')
    writeFileSync(join(other, 'settings.yaml'), 'search: { titleBoost: 7 }')
    expect(loadSettings({ env: { KB_DATA__DIR: other } }).search.titleBoost).toBe(7)
    expect(loadSettings({ env: { KB_DATA__DIR: other }, overrides: { data: { dir: data } } }).search.titleBoost).toBe(5)
  })

  test('are none without the file, and are told by its path when they are wrong', () => {
    expect(load().search.titleBoost).toBe(3)
    writeFileSync(file(), 'search: { titleBoost: 500 }')
    expect(load).toThrow(`search.titleBoost (from ${file()}) is the number 500; allowed: a number from 0 to 100`)
    writeFileSync(file(), 'search: { titelBoost: 5 }')
    expect(load).toThrow(/search\.titelBoost \(from .*\) is an unknown setting/)
    writeFileSync(file(), 'search: [')
    expect(load).toThrow(/is not valid: it cannot be read as YAML/)
  })

  test('may not move the folder that they lie in', () => {
    writeFileSync(file(), 'data: { dir: /elsewhere }')
    expect(load).toThrow(/is found by data\.dir, so it may not set it/)
  })
})

describe('writing them', () => {
  test('makes a file for this user alone that says what it is, and is read at once', () => {
    const env = {
      KB_SEARCH__TITLE_BOOST: '4',
      KB_SEARCH__RRF_WINDOW: '9',
      KB_SERVER__PORT: '1',
      KB_SEARCH__VECTOR_WEIGHT: ''
    }
    const written = writeDataSettings(data, { search: { titleBoost: 5, vectorWeight: 0.35 } }, env)
    expect(written).toEqual({ file: file(), overriddenBy: ['KB_SEARCH__TITLE_BOOST'] })
    const { search } = load()
    expect([search.titleBoost, search.vectorWeight, search.rrfWindow]).toEqual([5, 0.35, 50])
    expect(readFileSync(file(), 'utf8')).toMatch(/^# Settings of this data folder\..*\n/)
    expect(statSync(file()).mode & 0o077).toBe(0)
    expect(readdirSync(data)).toEqual(['settings.yaml'])
  })

  test('changes what it is given, and leaves the rest and its comments', () => {
    writeFileSync(file(), '# by ana\nserver:\n  port: 9000 # behind the proxy\nsearch:\n  titleBoost: 4\n')
    writeDataSettings(data, { search: { titleBoost: 5, rrfWindow: 20 } })
    const text = readFileSync(file(), 'utf8')
    expect(text).toBe('# by ana\nserver:\n  port: 9000 # behind the proxy\nsearch:\n  titleBoost: 5\n  rrfWindow: 20\n')
    expect(load().server.port).toBe(9000)
  })

  test.each(['', 'search:\n', '# nothing yet\n'])('fills a file that holds %j', (content) => {
    writeFileSync(file(), content)
    writeDataSettings(data, { search: { rrfWindow: 20 } })
    expect(load().search.rrfWindow).toBe(20)
  })

  test('tells where it could not write', () => {
    const gone = join(data, 'gone')
    expect(() => writeDataSettings(gone, { search: { rrfWindow: 20 } })).toThrow(
      `The settings could not be written to ${join(gone, 'settings.yaml')}`
    )
  })
})
