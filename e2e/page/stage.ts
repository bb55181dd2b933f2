import { addPerson, bootstrap, ended, file, type Person } from '../service/people.ts'
import type { Bench } from './bench.ts'
import type { Visit } from './browser.ts'
import { pdf } from './sample-files.ts'
import type { Locale } from './texts.ts'

/** People and what they have made, so that every room has something to show. */
export interface Stage {
  readonly bench: Bench
  /** An administrator, who sits before the page. */
  readonly here: Visit
  /** Somebody with whom a base is shared, and who may not see the system. */
  readonly member: Visit
  readonly ana: Person
  readonly baseId: string
  readonly emptyId: string
  readonly documentId: string
}

const LONG_NAME = 'a-very-long-file-name-without-any-space-as-monitoring-exports-them-2026-11-30T12-00-00.md'
const RUNBOOK = [
  '# 连接被重置 / Connection reset',
  '## 处理步骤',
  'E_CONN_RESET：先检查网关，再重启 pay-gateway，然后看监控。'.repeat(12),
  '## Escalation',
  `Call the network team about ${'gateway/'.repeat(30)} and E_CONN_RESET.`
].join('\n\n')

export async function setStage(bench: Bench, locale: Locale): Promise<Stage> {
  const ana = await bootstrap(bench.server.address)
  const ben = await addPerson(bench.server.address, ana, 'ben')
  const description = 'What to do when payments fail at night, and whom to call.'
  const { id: baseId } = await ana.api.createKnowledgeBase({ body: { name: 'Runbooks', description } })
  const { id: emptyId } = await ana.api.createKnowledgeBase({ body: { name: 'Still empty' } })
  await ana.api.addReader({ params: { id: baseId, userId: 'ben' } })
  const scan = pdf('scan.pdf')
  const files = [
    file('scan.pdf', new Uint8Array(scan.buffer)),
    file(LONG_NAME, '# Long\n\nA long name.\n'),
    file('reset.md', RUNBOOK)
  ]
  let documentId = ''
  for (const each of files) {
    const sent = { params: { id: baseId }, form: { index: true }, files: [each] }
    const { document, task } = await ana.api.uploadDocuments(sent)
    await ended(ana.api, task!.id)
    documentId = document.id
  }
  await ana.api.createApiKey({ body: { name: 'nightly report', scopes: ['retrieve'] } })
  const [here, member] = await Promise.all([
    bench.visit({ locale, cookie: ana.cookie }),
    bench.visit({ locale, cookie: ben.cookie })
  ])
  return { bench, here, member, ana, baseId, emptyId, documentId }
}
