import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isMap, isScalar, parseDocument } from 'yaml'
import { describeSettings } from './describe-settings.ts'
import { loadSettings, shippedSettingsFile } from './load-settings.ts'
import { readEnvironment } from './read-environment.ts'
import { settingsSchema } from './settings-schema.ts'

const lines = readFileSync(shippedSettingsFile, 'utf8').split('\n')
const documented = parseDocument(lines.join('\n')).toJS() as Record<string, Record<string, unknown>>
const defaults = settingsSchema.parse({})
const keysOf = (sections: object): string[] =>
  Object.entries(sections).flatMap(([section, keys]) => Object.keys(keys as object).map((key) => `${section}.${key}`))

describe('config/settings.yaml', () => {
  test('has every setting of the schema and no other, in the same order', () => {
    expect(keysOf(documented)).toEqual(keysOf(defaults))
  })

  test('says the defaults that the schema has', () => {
    expect(loadSettings({ env: {} })).toEqual(defaults)
  })

  test('gives a reason above every setting', () => {
    const bare = lines.filter((line, index) => /^ {2}\w+:/.test(line) && !/^ {2}# \w.+[.]/.test(lines[index - 1] ?? ''))
    expect(bare).toEqual([])
  })

  test('is made of sections of single values', () => {
    const { contents } = parseDocument(lines.join('\n'))
    const sections = isMap(contents) ? contents.items : []
    expect(sections.length).toBeGreaterThan(5)
    for (const { value } of sections)
      expect(isMap(value) && value.items.every((item) => isScalar(item.value))).toBe(true)
  })
})

describe('the description of settings', () => {
  const described = describeSettings(loadSettings({ env: {} }))

  test('lists every setting with its effective value', () => {
    expect(described.map(({ key }) => key)).toEqual(keysOf(defaults))
    expect(described.find(({ key }) => key === 'server.port')?.value).toBe(8000)
  })

  test('names for each the variable that sets it', () => {
    expect(described.length).toBeGreaterThan(30)
    for (const { key, environment } of described) {
      const [found] = readEnvironment({ [environment]: 'x' })
      expect(`${found?.section}.${found?.key}`).toBe(key)
    }
  })

  test('hides credentials', () => {
    const settings = loadSettings({ env: { KB_DATA__DIR: 'nfs://bob:hunter22@files/data' } })
    expect(JSON.stringify(describeSettings(settings))).not.toContain('hunter22')
    const search = { KB_SEARCH__USERNAME: 'ana', KB_SEARCH__PASSWORD: 'hunter22' }
    for (const env of [search, { KB_SEARCH__API_KEY: 'hunter22' }]) {
      expect(JSON.stringify(describeSettings(loadSettings({ env })))).not.toContain('hunter22')
    }
  })
})
