import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

/** Opens tracing in a process of its own, and tells how many modules of OpenTelemetry's SDK that has loaded. */
function modulesLoaded(endpoint: string): number {
  const module = new URL('index.ts', import.meta.url).href
  const script = `
    import { createRequire } from 'node:module'
    import { createLogger, openTracing } from '${module}'
    // The bare API comes with prom-client.
    const tracing = await openTracing({ endpoint: '${endpoint}', version: '1', logger: createLogger({ level: 'silent' }) })
    const loaded = Object.keys(createRequire('${module}').cache).filter((name) => name.includes('@opentelemetry') && !name.includes('@opentelemetry/api/'))
    await tracing.close()
    console.log(loaded.length)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

describe('tracing', () => {
  test('loads nothing of OpenTelemetry unless an endpoint is given, for the start pays for every module', () => {
    expect(modulesLoaded('')).toBe(0)
    expect(modulesLoaded('http://127.0.0.1:9')).toBeGreaterThan(10)
  })
})
