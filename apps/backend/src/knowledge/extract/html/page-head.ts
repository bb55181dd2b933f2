import type { KnowledgeAttributes } from '../extracted-document.ts'
import { cleanCharacters } from '../clean-characters.ts'
import { readAttributes } from '../front-matter.ts'
import { type HtmlElement, type HtmlParent, attributeOf, isElement, isText } from './html-tree.ts'

/** What pages are called that nobody named. */
const leavings = /^(?:untitled|document|new page|index|home|无标题|未命名|新建)[\w\s.-]*$/i

export interface PageHead {
  readonly title?: string
  readonly attributes: KnowledgeAttributes
}

/** Title and knowledge attributes that a page states about itself. The name of its site is no part of the title. */
export function readHead(head: HtmlParent): PageHead {
  const elements = head.childNodes.filter(isElement)
  const metas = new Map<string, string>()
  for (const element of elements) {
    const name = element.tagName === 'meta' ? nameOf(element) : ''
    if (name !== '' && !metas.has(name)) metas.set(name, words(attributeOf(element, 'content') ?? ''))
  }
  const stated = elements.find(({ tagName }) => tagName === 'title')?.childNodes.filter(isText)
  const title = withoutSite(words(stated?.map(({ value }) => value).join('') ?? ''), metas.get('og:site_name'))
  const attributes = readAttributes({
    knowledge_type: metas.get('knowledge_type') ?? metas.get('knowledgetype'),
    project: metas.get('project'),
    equipment: metas.get('equipment'),
    error_codes: (metas.get('error_codes') ?? metas.get('errorcodes'))?.split(/[\s,;，；、]+/)
  })
  return title === '' || leavings.test(title) ? { attributes } : { title, attributes }
}

function nameOf(meta: HtmlElement): string {
  const name = attributeOf(meta, 'name') ?? attributeOf(meta, 'property') ?? ''
  return name.trim().toLowerCase().replaceAll('-', '_')
}

function words(text: string): string {
  return cleanCharacters(text).replace(/\s+/g, ' ').trim()
}

/** Only a site that gives its own name is cut off: what stands behind a dash is often the better half of a title. */
function withoutSite(title: string, site: string | undefined): string {
  if (site === undefined || site === '' || !title.endsWith(site)) return title
  const rest = title.slice(0, -site.length)
  return /\s[-–—|·:»]\s*$/.test(rest) ? rest.replace(/\s*[-–—|·:»]\s*$/, '') : title
}
