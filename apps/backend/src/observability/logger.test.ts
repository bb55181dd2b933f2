import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createLogger, type LoggerOptions } from './logger.ts'

function capture(level: LoggerOptions['level'] = 'info') {
  const lines: string[] = []
  const logger = createLogger({ level, destination: { write: (line: string) => void lines.push(line) } })
  return { logger, lines, events: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

const failure = new Error('search failed', {
  cause: new Error('401 from https://bob:hunter22@es.local', { cause: 'apiKey=hunter22' })
})

describe('a log line', () => {
  test('is one line of JSON with level, time and message', () => {
    const { logger, lines, events } = capture()
    logger.info({ chunks: 3 }, 'indexed\nwell')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toContain('\n')
    expect(events()[0]).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      chunks: 3,
      msg: 'indexed\nwell'
    })
  })

  test('carries the ids that were bound', () => {
    const { logger, events } = capture()
    logger.child({ requestId: 'r1' }).child({ runId: 'run-1' }).info('retrieved')
    expect(events()[0]).toMatchObject({ requestId: 'r1', runId: 'run-1', msg: 'retrieved' })
  })

  test('tells an error with its chain of causes and its own fields', () => {
    const { logger, events } = capture()
    logger.error({ err: Object.assign(failure, { code: 'E1' }) }, 'no answer')
    expect(events()[0]).toMatchObject({
      msg: 'no answer',
      err: { name: 'Error', message: 'search failed', fields: { code: 'E1' }, cause: { cause: { name: 'string' } } }
    })
  })

  test.each([
    ['under err', (log: ReturnType<typeof capture>['logger']) => log.error({ err: failure })],
    ['alone', (log: ReturnType<typeof capture>['logger']) => log.error(failure)],
    ['as another field', (log: ReturnType<typeof capture>['logger']) => log.error({ reason: failure }, 'x')],
    ['as the message', (log: ReturnType<typeof capture>['logger']) => log.error(new Error('https://u:hunter22@h'))],
    ['inside text', (log: ReturnType<typeof capture>['logger']) => log.info('calling %s', 'https://u:hunter22@h')],
    ['under its name', (log: ReturnType<typeof capture>['logger']) => log.info({ config: { apiKey: 'hunter22' } })],
    ['in a bound field', (log: ReturnType<typeof capture>['logger']) => log.child({ password: 'hunter22' }).info('x')]
  ])('hides a secret that comes %s', (_how, write) => {
    const { logger, lines } = capture()
    write(logger)
    expect(lines.join('')).not.toContain('hunter22')
    expect(lines).toHaveLength(1)
  })

  test('never holds a value that was named as secret, however it is quoted', () => {
    const lines: string[] = []
    const secret = 'a "quoted" key'
    const destination = { write: (line: string) => void lines.push(line) }
    const logger = createLogger({ level: 'info', secrets: [secret, ''], destination })
    logger.error({ err: new Error(`401: ${secret} is unknown`), body: [secret] }, secret)
    expect(lines.join('')).not.toContain('quoted')
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: '[hidden]', err: { message: '401: [hidden] is unknown' } })
  })

  test('is not written below the level', () => {
    const { logger, lines } = capture('warn')
    logger.info('quiet')
    expect(lines).toEqual([])
  })

  test('goes to standard error, never to standard output', () => {
    const module = new URL('logger.ts', import.meta.url).href
    const script = `import { createLogger } from '${module}'; createLogger({ level: 'info' }).info('hello')`
    const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' })
    expect(stdout.toString()).toBe('')
  })
})

test('loses a line that can not be written, and never fails the work that it tells of', () => {
  const logger = createLogger({
    level: 'info',
    destination: {
      write: () => {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      }
    }
  })
  expect(() => logger.child({ requestId: 'r1' }).info('answered')).not.toThrow()
})
