import type { TextKey } from '../i18n/use-texts.ts'

/** Parts of the readiness report by the names that the server gives them; a new one is shown by that name. */
export const partTexts: Readonly<Record<string, TextKey>> = {
  'business store': 'system.parts.store',
  'knowledge index': 'system.parts.index',
  embedder: 'system.parts.embedder',
  reranker: 'system.parts.reranker',
  jobs: 'system.parts.jobs',
  'disk space': 'system.parts.disk'
}

/** Kinds of background work, likewise. */
export const kindTexts: Readonly<Record<string, TextKey>> = {
  'index-document': 'system.kinds.index',
  'purge-document': 'system.kinds.purge',
  'purge-knowledge-base': 'system.kinds.purgeBase'
}
