import { ApiError } from '@oncall-agent/api-contracts'
import { expect, test } from 'vitest'
import { effectScope } from 'vue'
import { useLoaded } from './use-loaded.ts'

test('an old look that answers last, or fails last, changes nothing', async () => {
  const open: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const load = (): Promise<string> => new Promise((resolve, reject) => open.push({ resolve, reject }))
  const loaded = effectScope().run(() => useLoaded(load))!
  const looks = [loaded.look(), loaded.look(), loaded.look()]
  open[2]!.resolve('newest')
  open[1]!.reject(new ApiError(503, { error: { code: 'SYSTEM_UNAVAILABLE', message: 'down', requestId: 'r' } }))
  open[0]!.resolve('oldest')
  await Promise.all(looks)
  expect([loaded.value.value, loaded.phase.value, loaded.problem.value]).toEqual(['newest', 'ready', null])
})

test('a failure is told, and the next look mends it', async () => {
  let down = true
  const load = async (): Promise<string> => {
    if (down) throw new ApiError(503, { error: { code: 'SYSTEM_UNAVAILABLE', message: 'down', requestId: 'r' } })
    return 'there'
  }
  const loaded = effectScope().run(() => useLoaded(load))!
  await loaded.look()
  expect([loaded.phase.value, loaded.problem.value?.code]).toEqual(['failed', 'SYSTEM_UNAVAILABLE'])
  down = false
  await loaded.look()
  expect([loaded.value.value, loaded.phase.value, loaded.problem.value]).toEqual(['there', 'ready', null])
})
