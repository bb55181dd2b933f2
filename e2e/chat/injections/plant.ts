import type { Injection, Place } from './injection.ts'
import { addDocument, baseWith, type Stage } from './stage.ts'

/** A case as it stands in real servers. */
export interface Planted {
  readonly question: string
  /** Asked before in the same conversation. */
  readonly earlier: readonly string[]
  readonly knowledgeBaseIds: readonly string[] | undefined
  /** Pages on which the planted text stands, beside the conversation. */
  readonly pages: readonly string[]
  /** Takes it away again. */
  remove(): Promise<void>
}

type Of<Where extends Place['where']> = Place extends infer Each
  ? Each extends { readonly where: infer W }
    ? Where extends W
      ? Each
      : never
    : never
  : never
type Part = Partial<Omit<Planted, 'question'>> & { readonly question: string }

/** Puts the text where it belongs and says how a person comes by it: the question asks for it by the case's code. */
export async function plant(stage: Stage, injection: Injection): Promise<Planted> {
  const part = await placed(stage, injection, filled(stage, injection.place))
  const question = injection.asks ?? part.question
  const nothing = { earlier: [], knowledgeBaseIds: undefined, pages: [], remove: async () => undefined }
  return { ...nothing, ...part, question }
}

/** The ids of this stage in the place of `{{name}}`; what names none is part of the attack. */
function filled(stage: Stage, place: Place): Place {
  const json = JSON.stringify(place).replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => stage.ids[name] ?? whole)
  return JSON.parse(json) as Place
}

async function placed(stage: Stage, injection: Injection, place: Place): Promise<Part> {
  const { code } = injection
  switch (place.where) {
    case 'document':
      return inDocument(stage, injection, place)
    case 'tool result':
    case 'tool error': {
      stage.tools.texts.set(code, place.text)
      const tool = place.where === 'tool error' ? 'read_trace' : 'read_logs'
      return { question: `${code}? CALL ops__${tool} {"service":"${code}"}` }
    }
    case 'tool description':
    case 'tool change':
      return inDescription(stage, code, place)
    case 'alert':
      return asAlert(stage, code, place)
    case 'series':
      return { question: `CALL prometheus_query {"query":"${code}"}` }
    case 'skill':
      return asSkill(stage, place)
    case 'history':
      return { question: code, earlier: [place.text] }
    case 'question':
      return { question: place.text }
  }
}

async function inDocument(stage: Stage, injection: Injection, place: Of<'document'>): Promise<Part> {
  const { file: name, text: content, form, owner } = place
  const person = owner === 'stranger' ? stage.stranger : stage.victim
  const { baseId, documentId } =
    owner === 'friend'
      ? { baseId: stage.sharedBase, documentId: await addDocument(stage.friend, stage.sharedBase, { name, content }) }
      : await baseWith(person, name, content, form)
  return {
    question: `${injection.code}? CALL knowledge_retrieval {"query":"${injection.code}"}`,
    knowledgeBaseIds: injection.isNarrow ? [baseId] : undefined,
    pages: [`/documents/${documentId}`, `/knowledge/${baseId}`],
    remove: async () => {
      if (owner === 'friend') await stage.friend.api.deleteDocument({ params: { id: documentId } })
      else await person.api.deleteKnowledgeBase({ params: { id: baseId } })
    }
  }
}

async function inDescription(
  { tools, victim: { api } }: Stage,
  code: string,
  { where, text }: Of<'tool description' | 'tool change'>
): Promise<Part> {
  tools.describe(where === 'tool change' ? 'Looks something up.' : text)
  const connection = { transport: 'http' as const, url: tools.url('lore'), headers: {} }
  const { id } = await api.createMcpServer({ body: { name: 'lore', connection } })
  // As a person does on the page: looks what there is, and allows that.
  const shown = (await api.checkMcpServer({ params: { id } })).tools
  const allowedTools = shown.map(({ name, definition }) => ({ name, definition, permission: 'allow' as const }))
  await api.changeMcpServer({ params: { id }, body: { allowedTools } })
  if (where === 'tool change') {
    tools.describe(text)
    await api.checkMcpServer({ params: { id } })
  }
  const pages = [`/settings/servers/${id}`]
  return { question: `${code}?`, pages, remove: () => api.deleteMcpServer({ params: { id } }) }
}

async function asAlert({ alerting }: Stage, code: string, { labels, annotations }: Of<'alert'>): Promise<Part> {
  const address = `${alerting!.alertmanager.url}/api/v2/alerts`
  const send = async (endsAt: number): Promise<undefined> => {
    const alert = { labels: { ...labels, code }, annotations, endsAt: new Date(endsAt).toISOString() }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify([alert]) })
    if (!answer.ok) throw new Error(`Alertmanager does not take the alert: ${await answer.text()}`)
  }
  const HOUR_MS = 3_600_000
  await send(Date.now() + HOUR_MS)
  return {
    question: `CALL alertmanager_alerts {"match":["code=\\"${code}\\""]}`,
    remove: () => send(Date.now())
  }
}

async function asSkill(stage: Stage, { name, description, text: content, owner }: Of<'skill'>): Promise<Part> {
  const { api } = owner === 'stranger' ? stage.stranger : stage.victim
  const { id } = await api.createSkill({ body: { name, description, content } })
  const pages = ['/settings/skills', `/settings/skills/${id}`]
  return { question: `CALL load_skill {"name":"${name}"}`, pages, remove: () => api.deleteSkill({ params: { id } }) }
}
