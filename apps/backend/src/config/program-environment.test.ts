import { describe, expect, test } from 'vitest'
import { programEnvironment } from './program-environment.ts'

describe('the environment of programs that are started for somebody', () => {
  test('has what any program needs, and no setting, key or token of ours', () => {
    const ours = { KB_CHAT__API_KEY: 'sk-a', OPENAI_API_KEY: 'sk-b', NODE_OPTIONS: '--inspect', SSH_AUTH_SOCK: '/s' }
    expect(programEnvironment({ PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', ...ours })).toEqual({
      PATH: '/bin',
      HOME: '/root',
      LANG: 'C.UTF-8'
    })
    expect(programEnvironment().PATH).toBe(process.env.PATH)
  })
})
