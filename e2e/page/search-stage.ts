import { ended, file, type Person } from '../service/people.ts'

/** Documents of structured search, so that each of its answers can be had. */
export interface SearchStage {
  readonly baseId: string
  /** By title. */
  readonly documents: ReadonlyMap<string, string>
}

/** One more than are listed, by the server's own settings; and more error codes than a list of them shows. */
const NOTES = 9
const CODES_EACH = 3

/** A word that all notes have, and one that no document has. */
export const COMMON = 'gateway'
export const UNKNOWN = 'zzyzx'
export const PROJECTS = ['payments', 'clearing'] as const
export const RESET = '连接被重置 Connection reset'

const resetText = [
  `# ${RESET}`,
  `Nothing of note. ${'The first part of this page only fills it, so that what is looked for stands further down. '.repeat(8)}`,
  'E_CONN_RESET：先检查网关，再重启 pay-gateway，然后看监控。',
  'Call the network team when it comes back.'
].join('\n\n')

/** Uploads and indexes them; each note has a project, an equipment and codes of its own. */
export async function setSearchStage({ api }: Person): Promise<SearchStage> {
  const base = await api.createKnowledgeBase({ body: { name: 'Field notes' } })
  const documents = new Map<string, string>()
  const add = async (name: string, text: string, form: Readonly<Record<string, string>>): Promise<void> => {
    const sent = { params: { id: base.id }, form: { index: true, ...form }, files: [file(name, text)] }
    const { document, task } = await api.uploadDocuments(sent)
    const { status, reason } = await ended(api, task!.id)
    if (status !== 'succeeded') throw new Error(`${name}: ${reason?.message}`)
    documents.set(form.title ?? name, document.id)
  }
  for (let at = 0; at < NOTES; at++) {
    const errorCodes = Array.from({ length: CODES_EACH }, (_each, code) => `E_${at}_${code}`).join(', ')
    const text = `# Note ${at}\n\nRestart the ${COMMON} ${'again '.repeat(at)}when E_${at}_0 is logged.\n`
    const project = PROJECTS[at % 3 === 0 ? 1 : 0]
    const knowledgeType = at % 2 === 0 ? 'alarm' : 'setup'
    await add(`note-${at}.md`, text, {
      title: `Note ${at}`,
      project,
      equipment: `rack-${at % 2}`,
      errorCodes,
      knowledgeType
    })
  }
  await add('reset.md', resetText, { title: RESET, project: 'edge', errorCodes: 'E_CONN_RESET' })
  return { baseId: base.id, documents }
}
