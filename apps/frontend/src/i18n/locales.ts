export const locales = ['zh', 'en'] as const
export type LocaleName = (typeof locales)[number]

/** The first of the wished languages that the page has; English when it has none of them. */
export function localeOf(wished: readonly (string | null)[]): LocaleName {
  for (const wish of wished) {
    const found = locales.find((name) => wish?.toLowerCase().split('-', 1)[0] === name)
    if (found !== undefined) return found
  }
  return 'en'
}
