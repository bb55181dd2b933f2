import { expect, test } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { defaultKnowledgeSettings } from '../knowledge/index.ts'
import { knowledgeSettings } from './knowledge-settings.ts'

// Evaluation and tests index with these defaults: what they measure must be what a fresh clone does.
test('the defaults of the knowledge room are the shipped settings, as the process is composed with them', () => {
  expect(defaultKnowledgeSettings).toEqual(knowledgeSettings(loadSettings({ env: {} })))
})
