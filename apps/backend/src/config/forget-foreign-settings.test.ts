import { expect, test } from 'vitest'
import { forgetForeignSettings } from './forget-foreign-settings.ts'

test('settings of libraries are taken out of the environment, and nothing else is', () => {
  const environment: Record<string, string | undefined> = {
    LANGSMITH_TRACING: 'true',
    LANGCHAIN_API_KEY: 'k',
    OPENAI_BASE_URL: 'https://elsewhere.example',
    KB_CHAT__BASE_URL: 'http://here.example',
    PATH: '/bin',
    MY_OPENAI_KEY: 'mine'
  }
  forgetForeignSettings(environment)
  expect(Object.keys(environment)).toEqual(['KB_CHAT__BASE_URL', 'PATH', 'MY_OPENAI_KEY'])
})
