import type { Dialogue } from './dialogue.ts'
import { fiveSources } from './talks/five-sources.ts'
import { inventedMarker } from './talks/invented-marker.ts'
import { modelDies } from './talks/model-dies.ts'
import { noModel } from './talks/no-model.ts'
import { nothingFound } from './talks/nothing-found.ts'
import { oneSearch } from './talks/one-search.ts'
import { searchFails } from './talks/search-fails.ts'
import { smallTalk } from './talks/small-talk.ts'
import { toolAsks } from './talks/tool-asks.ts'
import { twoSearches } from './talks/two-searches.ts'

/** In this order; each is a conversation of its own. */
export const dialogues: readonly Dialogue[] = [
  oneSearch,
  smallTalk,
  fiveSources,
  twoSearches,
  inventedMarker,
  searchFails,
  nothingFound,
  modelDies,
  toolAsks,
  noModel
]
