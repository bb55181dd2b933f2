import { expect, test } from 'vitest'
import { argumentLines, toolWords } from './tool-words.ts'

test('a tool is called in words: the own ones, one of a server, and one that nobody knows', () => {
  expect(toolWords('knowledge_retrieval')?.key).toBe('chat.toolNames.knowledge_retrieval')
  expect(toolWords('prometheus_query_range')?.key).toBe('chat.toolNames.prometheus')
  expect(toolWords('cls__search__logs')).toEqual({
    key: 'chat.toolNames.server',
    named: { server: 'cls', tool: 'search__logs' }
  })
  expect(toolWords('mystery')).toBeNull()
})

test('arguments are lines of text, and what is no object is shown as it came', () => {
  expect(argumentLines('{"query":"a","from":1,"tags":["x"]}')).toEqual([
    ['query', 'a'],
    ['from', '1'],
    ['tags', '["x"]']
  ])
  expect(argumentLines('{"query":"cut o…')).toEqual([['', '{"query":"cut o…']])
  expect(argumentLines('[1]')).toEqual([['', '[1]']])
  expect(argumentLines('{}')).toEqual([])
})
