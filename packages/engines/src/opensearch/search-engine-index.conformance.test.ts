import { describeStructuredIndex } from '@oncall-agent/retrieval/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { START_TIMEOUT_MS, engineForTests } from './test-support/engine-for-tests.ts'

const engine = await engineForTests()

/** What this engine does not promise is no test that could not run; a case of the suite proves that it says so itself. */
const promised = new Proxy(it, {
  get: (target, property) =>
    property === 'skip' ? (name: string) => console.info(`not promised: ${name}`) : Reflect.get(target, property)
})

describe.skipIf(engine.isMissing)(`structured search by OpenSearch ${engine.note}`, () => {
  beforeAll(engine.start, START_TIMEOUT_MS)
  afterAll(engine.stop)

  describeStructuredIndex({ describe, it: promised, expect }, () => engine.emptyIndex(), {
    abilities: { exactNearest: false, statistics: 'engine', atomicReplacement: false },
    rounds: 5
  })
})
