import { afterEach, expect, test } from 'vitest'
import DropZone from '../knowledge/drop-zone.vue'
import { mountPage, unmountAll } from '../test-material/mount-page.ts'
import AppRoot from './app-root.vue'

afterEach(unmountAll)

/** Drops files or text on an element; true when the browser would do with them what it always does. */
function drop(on: Element, type: 'Files' | 'text/plain', name = 'drop'): boolean {
  const event = new Event(name, { bubbles: true, cancelable: true })
  Object.assign(event, { dataTransfer: { types: [type], items: [], dropEffect: 'copy' } })
  return on.dispatchEvent(event)
}
function added(html: string): Element {
  const box = document.createElement('div')
  box.innerHTML = html
  document.body.append(box)
  return box.firstElementChild!
}

test('a file dropped beside the place for it does not make the browser leave the page', async () => {
  const { page } = await mountPage(AppRoot)
  const main = page.find('main').element
  expect([drop(main, 'Files', 'dragover'), drop(main, 'Files'), drop(main, 'text/plain')]).toEqual([
    false,
    false,
    false
  ])
  expect(drop(added('<input>'), 'Files')).toBe(false)
})

test('a field still takes text, an input for files still takes files', async () => {
  await mountPage(AppRoot)
  expect([drop(added('<textarea></textarea>'), 'text/plain'), drop(added('<input type="file">'), 'Files')]).toEqual([
    true,
    true
  ])
})

test('the place for files says itself what happens to them', async () => {
  await mountPage(AppRoot)
  const { page } = await mountPage(DropZone)
  const event = new Event('dragover', { bubbles: true, cancelable: true })
  const dataTransfer = { types: ['Files'], items: [], dropEffect: 'copy' }
  page.find('.drop').element.dispatchEvent(Object.assign(event, { dataTransfer }))
  expect([event.defaultPrevented, dataTransfer.dropEffect]).toEqual([true, 'copy'])
})

test('a page that is left guards nothing any more', async () => {
  await mountPage(AppRoot)
  unmountAll()
  expect(drop(document.body, 'Files')).toBe(true)
})
