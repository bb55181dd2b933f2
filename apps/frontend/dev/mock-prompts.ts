import type {
  NewPrompt,
  Prompt,
  PromptChange,
  PromptImport,
  PromptKind,
  PromptVersion
} from '@oncall-agent/api-contracts'
import { newPromptSchema } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId, pageOf } from './mock-request.ts'
import type { MockState } from './mock-state.ts'
import type { MockPrompt } from './sample-prompts.ts'

/** What the product brings along has an id of its own, and keeps it while an own one takes its place. */
const builtInId = (name: string): string => `builtin-${name}`
const isOwn = ({ versions }: MockPrompt): boolean => versions[0]!.version > 0

function shown({ id: ownId, kind, name, builtIn, versions }: MockPrompt): Prompt {
  const { version, description, content, createdAt } = versions[0]!
  const id = version === 0 ? builtInId(name) : ownId
  return { id, kind, name, description, content, version, builtIn, updatedAt: createdAt }
}

const versionOf = (
  version: number,
  text: Pick<PromptVersion, 'description' | 'content'>,
  by: string
): PromptVersion => ({
  version,
  description: text.description,
  content: text.content,
  createdBy: by,
  createdAt: Date.now()
})

/** Puts a version on top, as somebody else would while a page is open. */
export function addVersion(state: MockState, id: string, text: Pick<PromptVersion, 'description' | 'content'>): Prompt {
  const index = state.prompts.findIndex((each) => each.id === id)
  const prompt = found(state.prompts[index])
  const next = versionOf(prompt.versions[0]!.version + 1, text, state.me?.id ?? '')
  state.prompts[index] = { ...prompt, versions: [next, ...prompt.versions] }
  return shown(state.prompts[index])
}

function create(state: MockState, kind: PromptKind, { name, ...text }: NewPrompt): Prompt {
  const known = state.prompts.find((each) => each.kind === kind && each.name === name)
  if (known !== undefined && !isOwn(known)) return addVersion(state, known.id, text)
  if (known !== undefined) throw new MockRefusal('CONFLICT')
  const versions = [versionOf(1, text, state.me?.id ?? '')]
  const made: MockPrompt = { id: nextId(state, kind), kind, name, builtIn: false, versions }
  state.prompts.unshift(made)
  return shown(made)
}

interface Front {
  readonly fileName: string
  readonly fields: NewPrompt | null
  readonly problem: string
}

/** Front matter as an export writes it, and its fault if the file cannot be taken. */
function read({ fileName, content }: PromptImport['files'][number]): Front {
  const parts = /^---\nname: (.*)\ndescription: (.*)\n---\n\n?([^]*)$/.exec(content)
  if (parts === null) return { fileName, fields: null, problem: 'must begin with front matter' }
  const fields = newPromptSchema.safeParse({ name: parts[1], description: parts[2], content: parts[3] })
  return { fileName, fields: fields.data ?? null, problem: fields.error?.issues[0]?.message ?? '' }
}

function importAll(state: MockState, kind: PromptKind, { files }: PromptImport) {
  const fronts = files.map(read)
  const issues = fronts
    .map(({ fields, fileName, problem }, index) => ({
      fields,
      field: `files.${index}`,
      problem: `${fileName} ${problem}`
    }))
    .filter(({ fields }) => fields === null)
    .map(({ field, problem }) => ({ field, problem }))
  if (issues.length > 0) throw new MockRefusal('VALIDATION_FAILED', { issues }, 'Some files can not be taken.')
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const { fields } of fronts) {
    const known = state.prompts.find((each) => each.kind === kind && each.name === fields!.name)
    if (known === undefined) create(state, kind, fields!)
    else if (known.versions[0]!.content !== fields!.content) addVersion(state, known.id, fields!)
    const same = known?.versions[0]!.content === fields!.content
    counts[known === undefined ? 'created' : same ? 'unchanged' : 'updated']++
  }
  return { body: counts }
}

function handlersOf(kind: PromptKind) {
  /** By the id of the product's own: that one, whatever has taken its place. */
  const one = ({ state, params }: MockRequest): MockPrompt => {
    const all = state.prompts.filter((each) => each.kind === kind)
    const builtIn = all.find((each) => each.builtIn && builtInId(each.name) === params.id)
    if (builtIn === undefined) return found(all.find((each) => each.id === params.id && isOwn(each)))
    return { ...builtIn, versions: builtIn.versions.slice(-1) }
  }
  const all = (state: MockState): MockPrompt[] =>
    state.prompts.filter((each) => each.kind === kind).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return {
    list: ({ state, query }: MockRequest) => pageOf(all(state).map(shown), query),
    one: (request: MockRequest) => ({ body: shown(one(request)) }),
    versions: (request: MockRequest) => pageOf(one(request).versions, request.query),
    version: (request: MockRequest) => ({
      body: found(one(request).versions.find(({ version }) => String(version) === request.params.version))
    }),
    create: ({ state, body }: MockRequest) => ({ body: create(state, kind, body as NewPrompt) }),
    change: (request: MockRequest) => {
      const { baseVersion, ...text } = request.body as PromptChange
      const prompt = one(request)
      const newest = found(request.state.prompts.find((each) => each.id === prompt.id))
      if (newest.versions[0]!.version !== baseVersion) throw new MockRefusal('CONFLICT')
      return { body: addVersion(request.state, prompt.id, text) }
    },
    remove: (request: MockRequest) => {
      const prompt = one(request)
      if (!isOwn(prompt)) throw new MockRefusal('CONFLICT')
      const index = request.state.prompts.indexOf(prompt)
      const rest = prompt.versions.filter(({ version }) => version === 0)
      request.state.prompts.splice(index, 1, ...(rest.length === 0 ? [] : [{ ...prompt, versions: rest }]))
      return {}
    },
    import: ({ state, body }: MockRequest) => importAll(state, kind, body as PromptImport),
    export: ({ state }: MockRequest) => ({
      body: {
        files: all(state).map((prompt) => {
          const { name, description, content } = shown(prompt)
          return {
            fileName: `${name}.md`,
            content: `---\nname: ${name}\ndescription: ${description}\n---\n\n${content}`
          }
        })
      }
    })
  }
}

const prompts = handlersOf('prompt')
const skills = handlersOf('skill')

export const promptHandlers: MockHandlers = {
  prompts: prompts.list,
  prompt: prompts.one,
  promptVersions: prompts.versions,
  promptVersion: prompts.version,
  createPrompt: prompts.create,
  changePrompt: prompts.change,
  deletePrompt: prompts.remove,
  importPrompts: prompts.import,
  exportPrompts: prompts.export,
  skills: skills.list,
  skill: skills.one,
  skillVersions: skills.versions,
  skillVersion: skills.version,
  createSkill: skills.create,
  changeSkill: skills.change,
  deleteSkill: skills.remove,
  importSkills: skills.import,
  exportSkills: skills.export
}
