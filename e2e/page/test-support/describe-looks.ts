import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heading } from '../actions.ts'
import { type Bench, openBench } from '../bench.ts'
import { browserPath } from '../browser.ts'
import { lookAt } from '../look.ts'
import { roomStates } from '../room-states.ts'
import { setStage, type Stage } from '../stage.ts'
import type { Locale } from '../texts.ts'

/** One fault for each kind that is looked for. */
const PLANTED = `document.querySelector('main').insertAdjacentHTML('beforeend',
  '<p id="pale">pale</p><img src="/icon.svg"><button type="button" id="far">far</button>');
  Object.assign(document.querySelector('#pale').style, { color: '#888', background: '#999' });
  Object.assign(document.querySelector('#far').style, { position: 'absolute', left: '390px', top: '300px' })`

/** The tests of how the page looks in a language; a file each, so that both are looked at together. */
export function describeLooks(locale: Locale): void {
  describe.skipIf(browserPath === undefined)(
    `every state of every room, in ${locale}, has no serious fault for axe, light and dark, and fits 380 px (skipped where there is no Chromium)`,
    () => {
      let bench: Bench
      let stage: Stage
      beforeAll(async () => void (bench = await openBench()))
      afterAll(() => bench.close())

      it('before anybody has signed in', async () => {
        const here = await bench.visit({ locale })
        here.tolerate(401)
        const { t } = here.texts
        await here.page.goto('/')
        await heading(here.page, t('session.firstTitle')).waitFor()
        const faults = [...(await lookAt(here, 'first'))]
        stage = await setStage(bench, locale)
        await here.page.reload()
        await heading(here.page, t('session.signIn')).waitFor()
        expect([...faults, ...(await lookAt(here, 'sign-in')), ...here.complaints()]).toEqual([])
      })

      it.each(roomStates)('$name', async ({ name, by, arrange }) => {
        const here = by === 'member' ? stage.member : stage.here
        await arrange(here, stage)
        expect(await lookAt(here, name)).toEqual([])
      })

      it('would have told a fault, had there been one', async () => {
        const { page } = stage.here
        await page.evaluate(PLANTED)
        const faults = await lookAt(stage.here, 'planted')
        for (const told of [
          /^planted: serious color-contrast/,
          /dark: serious color-contrast/,
          /critical image-alt/,
          /wider/,
          /cut off/
        ])
          expect(
            faults.filter((fault) => told.test(fault)),
            String(told)
          ).toHaveLength(1)
      })

      it('and the console of the browser stays silent', () => {
        expect([...stage.here.complaints(), ...stage.member.complaints()]).toEqual([])
      })
    }
  )
}
