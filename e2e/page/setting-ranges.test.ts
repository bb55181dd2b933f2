import { settingRanges } from '@oncall-agent/frontend/search-wish'
import { STRUCTURED_SETTING_RANGES } from '@oncall-agent/retrieval'
import { expect, it } from 'vitest'

/** As the contract names a setting. */
const contractName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

it('the page offers for each setting of a search what retrieval takes', () => {
  // The page may not import retrieval, so it has the ranges once more. The deepest result is no setting of one search.
  const { maxResultWindow: _, ...asked } = STRUCTURED_SETTING_RANGES
  const taken = Object.entries(asked).map(([name, range]) => [contractName(name), range])
  expect(settingRanges).toEqual(Object.fromEntries(taken))
})
