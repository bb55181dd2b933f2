import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve, type Served } from '../test-material/served.ts'
import { loadPage } from './load-page.ts'

const directory = mkdtempSync(join(tmpdir(), 'oncall-page-'))
const pageDirectory = join(directory, 'dist')
const script = 'assets/index-BnT3x9Qa.js'

let served: Served
beforeAll(async () => {
  mkdirSync(join(pageDirectory, 'assets'), { recursive: true })
  writeFileSync(join(directory, 'secret.txt'), 'hunter22')
  writeFileSync(join(pageDirectory, 'index.html'), '<title>page</title>')
  writeFileSync(join(pageDirectory, script), 'export {}')
  writeFileSync(join(pageDirectory, 'favicon.svg'), '<svg/>')
  writeFileSync(join(pageDirectory, '中文.txt'), '中文')
  served = await serve({ limits: { pageDirectory } })
})
afterAll(async () => {
  await served.close()
  rmSync(directory, { recursive: true })
})

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the page', () => {
  test.each(['/', '/index.html', '/knowledge/7', '/search?q=%E4', '/documents/a'])(
    'is what a browser gets that goes to %s, anew each time, with a policy',
    async (path) => {
      const { status, headers, body } = await served.ask(path, { headers: browser })
      expect([status, body, headers['content-type']]).toEqual([200, '<title>page</title>', 'text/html; charset=utf-8'])
      expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-frame-options': 'DENY' })
      expect(headers['content-security-policy']).toMatch(/^default-src 'self'; .*frame-ancestors 'none'$/)
    }
  )

  test('is at the root for everybody, and is no answer for a file that is not there', async () => {
    expect((await served.ask('/', { headers: { accept: '*/*' } })).body).toBe('<title>page</title>')
    for (const path of ['/.env', '/robots.txt', '/assets/missing-12345678.js']) {
      expect([path, (await served.ask(path, { headers: browser })).status]).toEqual([path, 404])
    }
  })

  test('has files that are kept for ever where their name has a hash, and are asked for again else', async () => {
    const asset = await served.ask(`/${script}`)
    expect([asset.status, asset.body, asset.headers['cache-control'], asset.headers['content-type']]).toEqual([
      200,
      'export {}',
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8'
    ])
    const icon = await served.ask('/favicon.svg')
    expect([icon.headers['cache-control'], icon.headers['content-type']]).toEqual([
      'private, no-cache',
      'image/svg+xml'
    ])
    const again = await served.ask('/favicon.svg', { headers: { 'if-none-match': String(icon.headers.etag) } })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await served.ask('/%E4%B8%AD%E6%96%87.txt')).body).toBe('中文')
  })

  test('answers HEAD with the length and no file', async () => {
    const { status, headers, bytes } = await served.ask(`/${script}`, { method: 'HEAD' })
    expect([status, headers['content-length'], bytes.length]).toEqual([200, '9', 0])
  })

  test.each([
    ['/api/v1/nowhere', browser],
    ['/api', browser],
    ['/mcp/x', browser],
    ['/assets/gone-12345678.js', { accept: '*/*' }],
    ['/nowhere', {}]
  ])('is not what %s gets, with %j', async (path, headers) => {
    expect(await served.ask(path, { headers })).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  })

  test('is only read', async () => {
    expect((await served.ask('/knowledge/7', { method: 'POST', headers: browser })).status).toBe(404)
  })

  test.each(['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/..%5c..%5csecret.txt', '/%00'])(
    'gives nothing of what lies beside it: %s',
    async (path) => {
      const { bytes } = await served.ask(path)
      expect(bytes.toString()).not.toContain('hunter22')
    }
  )

  test('does not answer under a foreign name', async () => {
    expect((await served.ask('/', { headers: { ...browser, host: 'evil.example' } })).status).toBe(403)
  })

  test('stops the start when it is not there', () => {
    expect(() => loadPage(join(directory, 'nowhere'))).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(() => loadPage(directory)).toThrow('holds no page')
  })
})
