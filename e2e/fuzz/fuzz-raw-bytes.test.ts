import { type Route, type RouteName, routes } from '@oncall-agent/api-contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../oncall.ts'
import { expectWhole, type FuzzedServer, startFuzzedServer } from './test-support/fuzzed-server.ts'
import { hostileForm } from './test-support/hostile-forms.ts'
import { brokenFraming } from './test-support/hostile-framing.ts'
import {
  hostileHeader,
  hostileJson,
  hostileQuery,
  hostileSegment,
  hostileValue
} from './test-support/hostile-values.ts'
import { expectFit } from './test-support/judge-answer.ts'
import { type RawRequest, sendRaw } from './test-support/raw-request.ts'
import { documentedStatuses, type Target, targets } from './test-support/targets.ts'

/** The same requests each time. */
const SEED = 20_261_201
const RUNS = 150
/** Milliseconds that the event loop may be busy with one thing. */
const BLOCKED_MS = 2_000
const PROBE_EVERY_MS = 100

let server: FuzzedServer
let statuses: (route: Route) => readonly number[]
let probe: { readonly longest: () => number; readonly stop: () => void }

beforeAll(async () => {
  server = await startFuzzedServer()
  statuses = await documentedStatuses(server.served.address)
  probe = probeHealth(server.served.address)
})
afterAll(async () => {
  probe?.stop()
  await server?.close()
})

/** What Node or the framework refuses before there is a route, and what addresses get that are none of a route. */
const BEFORE_ROUTES = [400, 403, 404, 405, 413, 415, 417, 431]
const secrets = () => [server.data, repository]
const port = () => Number(new URL(server.served.address).port)

/** The answer fits; no answer at all is none where the connection itself may be cut. */
async function expectFitAnswer(request: RawRequest, allowed: readonly number[], mayBeCut = false): Promise<void> {
  const answer = await sendRaw(port(), request)
  if (answer) return expectFit(answer, allowed, secrets())
  expect(mayBeCut, `no answer to ${request.bytes.subarray(0, 500).toString('latin1')}`).toBe(true)
}

/** Any caller of any route that fits. */
function aTarget(fits: (route: Route) => boolean = () => true): fc.Arbitrary<Target> {
  const names = (Object.keys(routes) as RouteName[]).filter((name) => fits(routes[name]))
  return fc.constantFrom(...names.flatMap((name) => targets(name, server)))
}

function fuzz<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof Values]: fc.Arbitrary<Values[K]> },
  check: (...values: Values) => Promise<void>,
  numRuns = RUNS
): Promise<void> {
  return fc.assert(fc.asyncProperty(...arbitraries, check), { seed: SEED, numRuns, endOnFailure: true })
}

const withBody = (route: Route) => route.body !== undefined
const withForm = (route: Route) => route.form !== undefined
const bodiless = (route: Route) => route.method !== 'GET' && !withBody(route) && !withForm(route)

describe('bytes that no client of ours sends get an answer that is told, of the one shape, and harm nothing', () => {
  it('bodies that are no JSON, or too much of it', async () => {
    await fuzz([aTarget(withBody), hostileJson, fc.boolean()], async (target, body, slowly) => {
      const bytes = target.request({ body, headers: ['content-type: application/json'] })
      const request = slowly ? { bytes, pauseAt: Math.floor(bytes.length / 2) } : { bytes }
      await expectFitAnswer(request, statuses(target.route))
    })
  })

  it('bodies where none is wanted', async () => {
    const type = fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=b', 'x')
    await fuzz([aTarget(bodiless), hostileJson, type], async (target, body, given) => {
      const bytes = target.request({ body, headers: [`content-type: ${given}`] })
      await expectFitAnswer({ bytes }, statuses(target.route))
    })
  })

  it('JSON with one value of another kind', async () => {
    const field = fc.nat()
    await fuzz([aTarget(withBody), field, hostileValue], async (target, which, value) => {
      const fields = Object.keys(target.body)
      const body = { ...target.body, [fields[which % fields.length]!]: value }
      const bytes = target.request({
        body: Buffer.from(JSON.stringify(body)),
        headers: ['content-type: application/json']
      })
      await expectFitAnswer({ bytes }, statuses(target.route))
    })
  })

  it('headers of all kinds, also twice and by the hundred', async () => {
    const headers = fc.oneof(
      fc.array(hostileHeader, { minLength: 1, maxLength: 4 }),
      hostileHeader.map((header) => [header, header]),
      hostileHeader.map((header) => Array<string>(3_000).fill(header))
    )
    await fuzz([aTarget(), headers], async (target, lines) => {
      const bytes = target.request({ headers: lines, ...(withBody(target.route) ? { body: Buffer.from('{}') } : {}) })
      await expectFitAnswer({ bytes }, [...statuses(target.route), ...BEFORE_ROUTES])
    })
  })

  it('addresses with tricks in them', async () => {
    await fuzz([aTarget(), fc.nat(), hostileSegment, hostileQuery], async (target, which, segment, query) => {
      const parts = target.path.split('/')
      parts[1 + (which % (parts.length - 1))] = segment
      const bytes = target.request({ path: `${parts.join('/')}${query}` })
      // Some of these addresses are of another route, or of the page.
      await expectFitAnswer({ bytes }, [...statuses(target.route), ...BEFORE_ROUTES, 200, 401])
    })
  })

  it('queries with tricks in them', async () => {
    await fuzz([aTarget((route) => route.query !== undefined), hostileQuery], async (target, query) => {
      const bytes = target.request({ path: `${target.path}${query}` })
      await expectFitAnswer({ bytes }, statuses(target.route))
    })
  })

  it('methods of all kinds', async () => {
    const method = fc.constantFrom(
      'HEAD',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
      'get',
      'FOO',
      'CONNECT',
      'PUT',
      'PATCH'
    )
    await fuzz([aTarget(), method], async (target, name) => {
      const bytes = target.request({ method: name })
      // CONNECT is no request to Node when nobody serves it.
      const allowed = [...statuses(target.route), ...BEFORE_ROUTES, 200, 401]
      await expectFitAnswer({ bytes }, allowed, name === 'CONNECT')
    })
  })

  it('frames that are broken: wrong lengths, chunks, versions, requests in requests', async () => {
    await fuzz([aTarget(), brokenFraming], async (target, frame) => {
      // Some of these ask for /health.
      const request = { ...frame(target), unfinished: true as const }
      await expectFitAnswer(request, [...statuses(target.route), ...BEFORE_ROUTES, 200], true)
    })
  })

  it('forms that are broken', async () => {
    await fuzz([aTarget(withForm), hostileForm, fc.boolean()], async (target, form, slowly) => {
      const bytes = target.request({ body: form.body, headers: [`content-type: ${form.contentType}`, ...form.headers] })
      const request = slowly ? { bytes, pauseAt: Math.floor(bytes.length / 2) } : { bytes }
      await expectFitAnswer(request, statuses(target.route))
    })
  })

  it('and the server has not stood still, lives, and keeps nothing of it', async () => {
    expect(probe.longest()).toBeGreaterThan(0)
    expect(probe.longest()).toBeLessThan(BLOCKED_MS)
    await expectWhole(server)
  })
})

/** Asks for /health all the time; `longest` is the longest wait for its answer, in milliseconds. */
function probeHealth(address: string): { readonly longest: () => number; readonly stop: () => void } {
  let longest = 0
  const ask = async (): Promise<void> => {
    const started = performance.now()
    const answer = await fetch(`${address}/health`).catch(() => undefined)
    longest = answer?.ok ? Math.max(longest, performance.now() - started) : Number.POSITIVE_INFINITY
  }
  const timer = setInterval(() => void ask(), PROBE_EVERY_MS)
  return { longest: () => longest, stop: () => clearInterval(timer) }
}
