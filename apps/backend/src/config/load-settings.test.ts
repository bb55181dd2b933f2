import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { afterAll, describe, expect, test } from 'vitest'
import { loadSettings, type SettingsSources } from './load-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'oncall-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(yaml: string): string {
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, yaml)
  return file
}

function refusal(sources: SettingsSources): AppError {
  try {
    loadSettings({ env: {}, ...sources })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the settings were taken')
}

describe('settings', () => {
  test('come from the file, the environment over it and the command line over both', () => {
    const file = fileOf('server: { port: 1 }\nchunking: { size: 100, overlap: 10 }\ndata: { dir: a }')
    const env = { KB_SERVER__PORT: '2', KB_DATA__DIR: 'b' }
    const settings = loadSettings({ file, env, overrides: { data: { dir: 'c' } } })
    expect([settings.chunking.size, settings.server.port, settings.data.dir]).toEqual([100, 2, 'c'])
  })

  test('keep the default of what nobody sets, also below an empty section', () => {
    const settings = loadSettings({ file: fileOf('server:\nchunking: { size: 100 }'), env: {} })
    expect([settings.server.port, settings.chunking.overlap]).toEqual([8000, 60])
  })

  test('take an override that is absent as not set', () => {
    expect(loadSettings({ env: {}, overrides: { server: { port: undefined } } }).server.port).toBe(8000)
  })

  test('are frozen, sections too', () => {
    const settings = loadSettings({ env: {} })
    expect(() => Object.assign(settings.server, { port: 1 })).toThrow(TypeError)
    expect(() => Object.assign(settings, { server: {} })).toThrow(TypeError)
  })

  test.each([
    ['on', true],
    ['off', false],
    ['true', true],
    ['FALSE', false]
  ])('read the switch %s of the environment', (word, expected) => {
    expect(loadSettings({ env: { KB_RERANK__TOKEN_VECTORS: word } }).rerank.tokenVectors).toBe(expected)
  })

  test.each([
    ['on', true],
    ['off', false],
    ['true', true],
    ['false', false]
  ])('read the switch %s of YAML', (word, expected) => {
    expect(loadSettings({ file: fileOf(`rerank: { tokenVectors: ${word} }`), env: {} }).rerank.tokenVectors).toBe(
      expected
    )
  })

  test('ignore the environment of other programs, and an empty text', () => {
    const env = { PATH: '/bin', KB_HOME: '/x', KBD: '1', KB_SERVER__PORT: '' }
    expect(loadSettings({ env }).server.port).toBe(8000)
  })
})

describe('a wrong setting', () => {
  test.each([
    [{ KB_SERVER__PORT: 'hunter22' }, 'server.port', 'a text of 8 characters', 'a whole number from 0 to 65535'],
    [{ KB_SERVER__PORT: '70000' }, 'server.port', 'a text of 5 characters', 'a whole number from 0 to 65535'],
    [{ KB_SERVER__PORT: '80.5' }, 'server.port', 'a text of 4 characters', 'a whole number from 0 to 65535'],
    [{ KB_SERVER__HOST: 'a b' }, 'server.host', 'a text of 3 characters', 'a host name or an address'],
    [{ KB_EMBEDDING__BASE_URL: 'ftp://x' }, 'embedding.baseUrl', 'a text of 7 characters', 'an http or https address'],
    [{ KB_CHUNKING__STRATEGY: 'magic' }, 'chunking.strategy', 'a text of 5 characters', 'auto, markdown'],
    [{ KB_CHUNKING__OVERLAP: '480' }, 'chunking.overlap', 'a text of 3 characters', 'less than chunking.size'],
    [{ KB_RERANK__TOKEN_VECTORS: 'maybe' }, 'rerank.tokenVectors', 'a text of 5 characters', 'on or off'],
    [{ KB_EMBEDDING__PROVIDER: 'cloud' }, 'embedding.provider', 'a text of 5 characters', 'bundled or openai'],
    [{ KB_DOCUMENTS__EXTRACT_MEMORY_MB: '255' }, 'documents.extractMemoryMb', 'a text of 3 characters', 'from 256 to'],
    [{ KB_VECTOR_STORE__ENGINE: 'milvus' }, 'vectorStore.engine', 'a text of 6 characters', 'only embedded'],
    [{ KB_RETRIEVAL__CANDIDATES: '40' }, 'retrieval.candidates', 'a text of 2 characters', 'from 5 to 20']
  ])('stops the start and says key, source, shape and what is allowed: %j', (env, key, got, allowed) => {
    const error = refusal({ env })
    expect(error.code).toBe('CONFIG_INVALID')
    for (const part of [key, Object.keys(env)[0], got, allowed]) expect(error.message).toContain(part)
    expect(error.message).not.toContain('hunter22')
  })

  test.each([
    [{ KB_SERVER__PROT: '1' }, 'server.prot', 'server.{host, port, publicOrigin}'],
    [{ KB_VECTOR_STORE__EXACT_LIMIT: '1' }, 'vectorStore.exactLimit', 'vectorStore.{engine}'],
    [{ KB_SERVRE__PORT: '1' }, 'servre.port', 'the sections server, data'],
    [{ KB_SERVER_PORT: '1' }, 'KB_SERVER_PORT', 'the sections server, data']
  ])('stops the start when it is unknown: %j', (env, key, allowed) => {
    const { message } = refusal({ env })
    expect(message).toContain(key)
    expect(message).toContain(allowed)
  })

  test.each([
    ['server: { prot: 1 }', 'server.prot'],
    ['servre: { port: 1 }', 'servre.port'],
    ['server: 8000', 'server'],
    ['server: [8000]', 'server'],
    ['server: { port: }', 'server.port'],
    ['__proto__: { x: 1 }', '__proto__'],
    ['- server', 'made of sections'],
    ['server: { port: 1', 'line 1']
  ])('of a file is named: %s', (yaml, named) => {
    const error = refusal({ file: fileOf(yaml) })
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toContain(named)
  })

  test('is one that a remote model needs and does not have', () => {
    const { message } = refusal({ env: { KB_EMBEDDING__PROVIDER: 'openai', KB_EMBEDDING__MODEL: 'm' } })
    expect(message).toContain('config/settings.yaml) is empty; allowed: a value, because the provider is openai')
    expect(message).toContain('embedding.dimension')
    expect(message).not.toContain('embedding.model ')
    expect(refusal({ env: { KB_RERANK__PROVIDER: 'jina' } }).message).toContain('rerank.baseUrl')
  })

  test('does not hide another one', () => {
    const error = refusal({ env: { KB_SERVER__PORT: 'x', KB_CHUNKING__SIZE: 'y' } })
    expect(error.details).toEqual({
      issues: [
        expect.objectContaining({ key: 'server.port', source: 'KB_SERVER__PORT' }),
        expect.objectContaining({ key: 'chunking.size', source: 'KB_CHUNKING__SIZE' })
      ]
    })
  })

  test('of a file that is not there names the file', () => {
    expect(refusal({ file: join(folder, 'none.yaml') }).message).toMatch(/none[.]yaml.*no such file/)
  })
})

describe('the settings of search', () => {
  test('come from the environment under their names, and tell whole numbers from shares', () => {
    const env = {
      KB_SEARCH__STRICT_MAX_HITS: '3',
      KB_SEARCH__TITLE_BOOST: '0',
      KB_SEARCH__VECTOR_WEIGHT: '0.35',
      KB_SEARCH__LOOSE_MIN_MATCH: '1',
      KB_SEARCH__KNOWLEDGE_TYPES: ' alarm,spare-parts , experience'
    }
    expect(loadSettings({ env }).search).toMatchObject({
      strictMaxHits: 3,
      titleBoost: 0,
      vectorWeight: 0.35,
      looseMinMatch: 1,
      knowledgeTypes: ['alarm', 'spare-parts', 'experience']
    })
  })

  test.each([
    [{ KB_SEARCH__STRICT_MAX_HITS: '0' }, 'search.strictMaxHits', 'a whole number from 1 to 100'],
    [{ KB_SEARCH__STRICT_MAX_HITS: '8.5' }, 'search.strictMaxHits', 'a whole number from 1 to 100'],
    [{ KB_SEARCH__TITLE_BOOST: '-1' }, 'search.titleBoost', 'a number from 0 to 100'],
    [{ KB_SEARCH__TITLE_BOOST: 'NaN' }, 'search.titleBoost', 'a number from 0 to 100'],
    [{ KB_SEARCH__RRF_WINDOW: '10001' }, 'search.rrfWindow', 'a whole number from 1 to 10000'],
    [{ KB_SEARCH__VECTOR_WEIGHT: '1.01' }, 'search.vectorWeight', 'a number from 0 to 1'],
    [{ KB_SEARCH__MAX_RESULT_WINDOW: '99' }, 'search.maxResultWindow', 'a whole number from 100 to 10000'],
    [{ KB_SEARCH__LOOSE_MIN_MATCH: '0' }, 'search.looseMinMatch', 'a number from 0.01 to 1'],
    [{ KB_SEARCH__ENGINE: 'lucene' }, 'search.engine', 'embedded, opensearch or elasticsearch'],
    [{ KB_SEARCH__ENGINE: 'opensearch' }, 'search.url', 'a value, because the engine is opensearch'],
    [{ KB_SEARCH__KNOWLEDGE_TYPES: 'Alarm' }, 'search.knowledgeTypes', 'names of small letters'],
    [{ KB_SEARCH__KNOWLEDGE_TYPES: 'experience,experience' }, 'search.knowledgeTypes', 'names of small letters'],
    [{ KB_SEARCH__DEFAULT_TYPE: 'setups' }, 'search.defaultType', 'which are alarm, setup, experience'],
    [{ KB_SEARCH__USERNAME: 'ana' }, 'search.password', 'a value'],
    [{ KB_SEARCH__URL: 'https://ana:hunter22@search' }, 'search.url', 'an http or https address']
  ])('stop the start for %j, naming the key and its source', (env, key, allowed) => {
    const { code, message } = refusal({ env })
    expect([code, message]).toEqual(['CONFIG_INVALID', expect.stringContaining(`${key} (from `)])
    expect(message).toContain(allowed)
    expect(message).not.toContain('hunter22')
  })
})
