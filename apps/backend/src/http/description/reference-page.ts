import type { OpenApiDescription, Operation } from './openapi.ts'
import { escapeHtml, htmlPage } from './html.ts'

const TITLE = 'OncallAgent 接口参考 · API reference'

/** The description as a page to read: every operation with who may call it, what it takes and what it answers. */
export function referencePage(description: OpenApiDescription): string {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? '')
  const sections = [...groups].map(
    ([tag, members]) =>
      `<h2>${escapeHtml(groupTitles[tag] ?? tag)}</h2>\n${members.map((member) => operationHtml(member)).join('\n')}`
  )
  return htmlPage(
    TITLE,
    `<h1>${escapeHtml(TITLE)}</h1>
<p>${escapeHtml(description.info.version)} · <a href="/openapi.json">openapi.json</a> · <a href="/">首页 · Home</a></p>
${sections.join('\n')}`
  )
}

/** What `/` shows while no page is built. */
export function welcomePage(): string {
  return htmlPage(
    'OncallAgent',
    `<h1>OncallAgent</h1>
<p>服务正在运行。此进程没有提供页面。 · The server is running. This process serves no page.</p>
<ul><li><a href="/docs">接口参考 · API reference</a></li><li><a href="/ready">就绪状态 · Readiness</a></li></ul>`
  )
}

const groupTitles: Readonly<Record<string, string>> = {
  system: '系统 · System',
  access: '用户与权限 · People and access',
  knowledge: '知识库 · Knowledge bases',
  documents: '文档与索引 · Documents and indexing',
  retrieval: '检索 · Retrieval',
  chat: '对话 · Chat',
  agent: '智能体 · Agent'
}

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function operationHtml({ method, path, operation }: Described): string {
  const parts = [
    paragraph('权限 · Access', operation['x-access'] ?? ''),
    parametersHtml(operation),
    bodyHtml(operation),
    responsesHtml(operation)
  ]
  return `<details id="${escapeHtml(operation.operationId ?? '')}">
<summary><b>${method}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary ?? '')}</summary>
${parts.filter((part) => part !== '').join('\n')}
</details>`
}

function paragraph(name: string, text: string): string {
  return text === '' ? '' : `<p>${name}: ${escapeHtml(text)}</p>`
}

function parametersHtml({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => {
    const needed = parameter.required ? '必填 · required' : ''
    const meaning = [needed, parameter.description ?? parameter.schema?.description ?? ''].filter((text) => text !== '')
    return row([`<code>${escapeHtml(parameter.name)}</code>`, parameter.in, escapeHtml(meaning.join(' · '))])
  })
  return `<h4>参数 · Parameters</h4><table>${rows.join('')}</table>`
}

function bodyHtml({ requestBody }: Operation): string {
  const contents = Object.entries(requestBody?.content ?? {})
  return contents.map(([type, { schema }]) => `<h4>请求 · Request: ${escapeHtml(type)}</h4>${json(schema)}`).join('')
}

function responsesHtml({ responses = {} }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const good = Number(status) < 400
    const schemas = Object.entries(content).map(([type, { schema }]) =>
      good ? `<details><summary>${escapeHtml(type)}</summary>${json(schema)}</details>` : ''
    )
    return row([escapeHtml(status), escapeHtml(description), schemas.join('')])
  })
  return `<h4>响应 · Responses</h4><table>${rows.join('')}</table>`
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

function json(schema: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(schema, null, 2) ?? '')}</pre>`
}
