import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installFuzzer } from '../../scripts/fuzz/install-fuzzer.ts'
import { expectWhole, type FuzzedServer, startFuzzedServer } from './test-support/fuzzed-server.ts'
import { type FuzzerRun, runFuzzer } from './test-support/run-fuzzer.ts'

const installed = await installFuzzer()
const executable = 'executable' in installed ? installed.executable : ''
const reason = 'reason' in installed ? ` (skipped: ${installed.reason})` : ''

describe.skipIf(reason !== '')(`requests made up from the description${reason}`, () => {
  let server: FuzzedServer
  beforeAll(async () => {
    server = await startFuzzedServer()
  })
  afterAll(() => server?.close())

  async function expectDocumentedAnswers(run: Omit<FuzzerRun, 'executable' | 'address'>): Promise<void> {
    const { ok, report } = await runFuzzer({ executable, address: server.served.address, ...run })
    expect(ok, report).toBe(true)
    expect(report).toMatch(/[1-9]\d* generated/)
    await expectWhole(server)
  }

  it('of nobody get documented answers, and nobody gets in', async () => {
    await expectDocumentedAnswers({
      description: await server.describe('nobody', server.member),
      phases: ['coverage', 'fuzzing'],
      examples: 2,
      moreChecks: ['ignored_auth']
    })
  })

  it("of a member's key get documented answers", async () => {
    await expectDocumentedAnswers({
      description: await server.describe('member', server.member),
      phases: ['examples', 'fuzzing'],
      examples: 6,
      credentials: server.member.credentials
    })
  })

  it("of an administrator's session get documented answers", async () => {
    await expectDocumentedAnswers({
      description: await server.describe('admin', server.admin),
      phases: ['examples', 'coverage', 'fuzzing'],
      examples: 8,
      credentials: server.admin.credentials,
      // It would end the session.
      without: ['logout']
    })
  })
})
