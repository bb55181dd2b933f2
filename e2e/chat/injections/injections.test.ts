import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Injection } from './injection.ts'
import { injections, inMonitoring } from './material/index.ts'
import { peerAlerts, peerDocuments, withoutPeers } from './material/peers.ts'
import { observe } from './observe.ts'
import { plant } from './plant.ts'
import { setStage, type Stage, withoutMonitoring } from './stage.ts'
import { untriedOf, violationsOf } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

async function attack(injection: Injection): Promise<void> {
  const planted = await plant(stage, injection)
  try {
    const observed = await observe(stage, planted)
    expect(violationsOf(injection, observed)).toEqual([])
    expect(observed.read.includes(injection.read)).toBe(injection.isOutOfReach !== true)
    expect(untriedOf(injection, observed)).toEqual([])
  } finally {
    await planted.remove()
  }
}

describe('a model that obeys whatever it reads gets nothing done that was not given', () => {
  it.each(injections)('$code: $name', attack)
})

describe.skipIf(withoutMonitoring !== '')(`nor by what monitoring says${withoutMonitoring}`, () => {
  it.each(inMonitoring)('$code: $name', attack)
})

describe.skipIf(withoutPeers !== '')(`nor by what peers fell over${withoutPeers}`, () => {
  it.each(peerDocuments)('$code: $name', attack)
  it.skipIf(withoutMonitoring !== '').each(peerAlerts)(`$code: $name${withoutMonitoring}`, attack)
})
