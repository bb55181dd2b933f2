import type { DocumentChunk, DocumentView, KnowledgeBaseView, User } from '@oncall-agent/api-contracts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export const users: readonly User[] = [
  { id: 'u-1', username: 'wang.wei', role: 'admin', createdAt: Date.now() - 90 * DAY, disabledAt: null },
  { id: 'u-2', username: 'li.na', role: 'member', createdAt: Date.now() - 40 * DAY, disabledAt: null },
  {
    id: 'u-3',
    username: 'former.colleague',
    role: 'member',
    createdAt: Date.now() - 80 * DAY,
    disabledAt: Date.now() - DAY
  }
]

export const bases: readonly KnowledgeBaseView[] = [
  base('kb-own', '支付平台运维手册', { description: '支付、清算与对账服务的告警处置步骤。' }),
  base('kb-shared', 'Kubernetes runbooks', { access: 'reader', ownerUserId: 'u-2', tenantId: 'u-2' }),
  base('kb-folder', 'runbooks', { origin: 'folder', ownerUserId: 'local', tenantId: 'local' }),
  base('kb-empty', 'Drafts', {})
]

export function base(id: string, name: string, change: Partial<KnowledgeBaseView>): KnowledgeBaseView {
  return {
    id,
    name,
    description: '',
    ownerUserId: 'u-1',
    tenantId: 'u-1',
    access: 'owner',
    origin: 'uploads',
    documents: { total: 0, indexed: 0, indexing: 0, pending: 0, failed: 0 },
    createdAt: Date.now() - 30 * DAY,
    updatedAt: Date.now() - 2 * HOUR,
    ...change
  }
}

const names = [
  '连接被重置.md',
  'KubePodCrashLooping.md',
  'disk-full.pdf',
  '数据库主从切换.docx',
  'tls-certificates.html',
  'deploy notes 2026-11.txt'
]

/** The first of a base stands for states that need somebody: failed, pending, outdated, with a warning. */
export function sampleDocument(knowledgeBaseId: string, index: number): DocumentView {
  const name = names[index % names.length]!
  const few = index < names.length
  const failed = index === 2
  const pending = index === 3
  return {
    id: `${knowledgeBaseId}-doc-${index}`,
    knowledgeBaseId,
    ownerUserId: 'u-1',
    tenantId: 'u-1',
    fileName: few ? name : `${String(index).padStart(5, '0')}-${name}`,
    title: index % 2 === 0 ? null : `Runbook ${index}`,
    mediaType: 'text/markdown',
    format: name.endsWith('.pdf') ? 'pdf' : 'markdown',
    byteSize: 1_200 + index * 977,
    sha256: 'a'.repeat(64),
    version: index === 5 ? 2 : 1,
    indexedVersion: failed || pending ? null : 1,
    status: 'active',
    indexStatus: failed ? 'failed' : pending || index === 5 ? 'pending' : 'indexed',
    failure: failed
      ? { code: 'DOCUMENT_UNREADABLE', message: 'The PDF is encrypted; remove its password and upload it again.' }
      : null,
    warnings: index === 1 ? ['Page 3 has no text and was not read.'] : [],
    attributes: {
      knowledgeType: 'runbook',
      project: 'payments',
      equipment: null,
      errorCodes: ['E_CONN_RESET', 'E1042']
    },
    metadata: {},
    chunkCount: failed || pending ? 0 : 6,
    createdAt: Date.now() - 20 * DAY,
    updatedAt: Date.now() - index * HOUR
  }
}

const sections = [
  ['现象', '客户端日志出现 E_CONN_RESET，网关返回 502，支付成功率下降。KubePodCrashLooping 可能同时触发。'],
  ['影响', '新建连接失败；已建立的连接会在超时后断开。对账任务会自动重试，不需要人工干预。'],
  [
    '诊断',
    '1. 查看网关到支付服务的连接数：ss -s\n2. 检查 conntrack 表是否已满：sysctl net.netfilter.nf_conntrack_count\n3. 查看最近一次发布的时间。'
  ],
  [
    '恢复 E_CONN_RESET',
    '先摘除异常节点，再重启 pay-gateway：kubectl -n pay rollout restart deploy/pay-gateway。恢复后观察 10 分钟。'
  ],
  [
    'Escalation',
    'If connections are still reset after the restart, page the network team and attach the output of ss -s and conntrack -S.'
  ],
  [
    '<script>alert(1)</script>',
    'Text that looks like markup must be shown as text: <img src=x onerror=alert(1)> **not bold**.'
  ]
] as const

/** A text whose chunks overlap a little, as the chunker makes them. */
export const sampleText = sections.map(([heading, body]) => `## ${heading}\n\n${body}\n`).join('\n')

const OVERLAP = 12

export function sampleChunks(documentId: string): readonly DocumentChunk[] {
  let at = 0
  return sections.map(([heading, body], sequence) => {
    const start = Math.max(0, at - OVERLAP)
    at = sampleText.indexOf(body, at) + body.length
    return {
      chunkId: `${documentId}#${String(sequence).padStart(4, '0')}`,
      sequence,
      headingPath: ['连接被重置', heading],
      content: sampleText.slice(start, at),
      start,
      end: at,
      tokenCount: body.length,
      metadata: {}
    }
  })
}
