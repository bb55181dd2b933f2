import type { TextKey } from '../i18n/use-texts.ts'

/** The agent's own tools, by how their names begin. */
const own = [
  'knowledge_retrieval',
  'structured_search',
  'load_skill',
  'read_more',
  'prometheus',
  'alertmanager'
] as const

/** What a tool is called in words; one that the page does not know keeps its own name. */
export function toolWords(
  tool: string
): { readonly key: TextKey; readonly named: Readonly<Record<string, string>> } | null {
  const [server = '', ...rest] = tool.split('__')
  if (rest.length > 0) return { key: 'chat.toolNames.server', named: { server, tool: rest.join('__') } }
  const name = own.find((each) => tool.startsWith(each))
  return name === undefined ? null : { key: `chat.toolNames.${name}`, named: {} }
}

/** Arguments one a line, as text; what is no JSON object (shortened for show, mostly) as it came. */
export function argumentLines(given: string): readonly (readonly [name: string, value: string])[] {
  try {
    const parsed: unknown = JSON.parse(given)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [['', given]]
    return Object.entries(parsed).map(([name, value]) => [name, textOf(value)] as const)
  } catch {
    // Shortened in the middle: shown as it is.
    return [['', given]]
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
