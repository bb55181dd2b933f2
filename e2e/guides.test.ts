import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { repository, temporaryFolder } from './oncall.ts'
import { startServer } from './service/served.ts'

const guides = globSync('docs/guides/*/{chat,http-api,prompts-and-tools,search}.md', { cwd: repository }).toSorted()
const run = promisify(execFile)

/** Commands that stand together, and the answer that stands under them: of the last of them, JSON or lines of text. */
interface Step {
  readonly commands: string
  readonly answer: { readonly kind: 'json' | 'text'; readonly shown: string } | undefined
}

describe.each(guides)('%s', (guide) => {
  const steps = stepsOf(readFileSync(join(repository, guide), 'utf8'))

  it('answers to every command as it shows', async () => {
    const [data, place] = await Promise.all([temporaryFolder(), temporaryFolder()])
    const server = await startServer(data.path)
    try {
      const written = await typed(steps, { place: place.path, address: server.address })
      const wrong = steps.flatMap(({ commands, answer }, at) => {
        const found = written[at] ?? 'nothing'
        return answer === undefined ? [] : differences(answer, found).map((each) => `${commands}${found}${each}`)
      })
      expect(wrong).toEqual([])
    } finally {
      await server.stop()
      await Promise.all([data.remove(), place.remove()])
    }
  })

  it('shows an answer to nearly every command', () => {
    expect(steps.length).toBeGreaterThan(10)
    expect(steps.filter(({ answer }) => answer === undefined).length).toBeLessThan(3)
  })
})

it.each(['chat.md', 'http-api.md', 'prompts-and-tools.md', 'search.md'])(
  '%s is one guide in each language, with the same requests',
  (name) => {
    const pages = guides.filter((guide) => guide.endsWith(`/${name}`))
    expect(pages).toEqual([`docs/guides/en/${name}`, `docs/guides/zh/${name}`])
    const [english, chinese] = pages.map((guide) =>
      stepsOf(readFileSync(join(repository, guide), 'utf8')).map(({ commands }) =>
        commands.match(/\$server[^\s"]*|^(ask|upload) /gm)
      )
    )
    expect(chinese).toEqual(english)
  }
)

const BLOCK = /^```(sh|json|text)\n([\s\S]*?)^```/gm

function stepsOf(markdown: string): readonly Step[] {
  const steps: Step[] = []
  for (const [, kind, text = ''] of markdown.matchAll(BLOCK)) {
    if (kind === 'sh') steps.push({ commands: text, answer: undefined })
    else steps.push({ ...steps.pop()!, answer: { kind: kind as 'json' | 'text', shown: text } })
  }
  return steps
}

const SEPARATOR = '\u001E'

/** What one shell writes for each step; only the server's address is another one than the guide's. */
async function typed(
  steps: readonly Step[],
  { place, address }: { readonly place: string; readonly address: string }
): Promise<readonly string[]> {
  const script = steps.map(({ commands }) => commands.replaceAll('http://127.0.0.1:8000', address))
  expect(script.join('')).toContain(address)
  const { stdout } = await run('sh', ['-euc', script.join(`printf '${SEPARATOR}'\n`)], { cwd: place, timeout: 120_000 })
  return stdout.split(SEPARATOR)
}

function differences({ kind, shown }: NonNullable<Step['answer']>, found: string): readonly string[] {
  if (kind === 'json') return differ('answer', JSON.parse(shown), JSON.parse(found))
  const lines = found.trimEnd().split('\n')
  return shown
    .trimEnd()
    .split('\n')
    .flatMap((line, at) => differ(`line ${at + 1}`, line, lines[at]))
}

/** `…` alone is anything; within a text, any text; as a key, more keys than are shown. */
function differ(where: string, shown: unknown, found: unknown): readonly string[] {
  if (shown === '…' && found !== undefined) return []
  if (typeof shown === 'string' && typeof found === 'string') {
    const pattern = shown.split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    return new RegExp(`^${pattern.join('[\\s\\S]*')}$`).test(found) ? [] : [`${where}: ${found} is not ${shown}`]
  }
  if (typeof shown !== 'object' || shown === null || typeof found !== 'object' || found === null) {
    return shown === found ? [] : [`${where}: ${JSON.stringify(found)} is not ${JSON.stringify(shown)}`]
  }
  const { '…': more, ...fields } = shown as Record<string, unknown>
  const unknown = more === undefined ? Object.keys(found).filter((key) => !(key in fields)) : []
  const inside = Object.entries(fields).flatMap(([key, value]) =>
    differ(`${where}.${key}`, value, (found as Record<string, unknown>)[key])
  )
  return [...unknown.map((key) => `${where}.${key} is not shown`), ...inside]
}
