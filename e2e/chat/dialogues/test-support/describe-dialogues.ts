import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserPath } from '../../../page/browser.ts'
import type { Locale } from '../../../page/texts.ts'
import { dialogues } from './all-dialogues.ts'
import { type Scene, setScene } from './scene.ts'

/** The ten dialogues in a language; a file each, so that both are played together. */
export function describeDialogues(locale: Locale): void {
  describe.skipIf(browserPath === undefined)(
    `ten dialogues in ${locale} between a person in a browser and a served agent (skipped where there is no Chromium)`,
    () => {
      let scene: Scene
      beforeAll(async () => void (scene = await setScene(locale)))
      afterAll(() => scene?.close())
      afterEach(async () => {
        scene.line.mend()
        scene.stub.misbehave(undefined)
        await scene.leave()
      })

      it('are ten', () => expect(new Set(dialogues.map(({ name }) => name)).size).toBe(10))

      it.each(dialogues)('$name', async ({ play }) => {
        scene.model.reset()
        await play(scene)
        expect(await scene.leave()).toEqual([])
      })
    }
  )
}
