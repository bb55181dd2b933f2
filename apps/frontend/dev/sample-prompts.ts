import type { PromptKind, PromptVersion } from '@oncall-agent/api-contracts'

const HOUR = 3_600_000

/** One prompt or skill with its versions, newest first. */
export interface MockPrompt {
  readonly id: string
  readonly kind: PromptKind
  readonly name: string
  readonly builtIn: boolean
  readonly versions: readonly PromptVersion[]
}

const builtInAnswer = `You help engineers on call.

1. Look before you answer: use knowledge_retrieval for what the team has written.
2. Every statement names its source with a marker.
3. When you could not look, say so.

Answer in the language of the question.
`

const diskSteps = Array.from({ length: 30 }, (_each, index) => `${index + 1}. Step ${index + 1}: df -h /data/${index}`)
const diskFull = (change: Readonly<Record<number, string>>): string =>
  ['# Disk full', '', ...diskSteps.map((step, at) => change[at] ?? step), ''].join('\n')

export function builtIn(content: string, description: string): PromptVersion {
  return { version: 0, description, content, createdBy: null, createdAt: null }
}

const own = (version: number, description: string, content: string): PromptVersion => ({
  version,
  description,
  content,
  createdBy: version % 2 === 0 ? 'u-2' : 'u-1',
  createdAt: Date.now() - (9 - version) * 5 * HOUR
})

export const samplePrompts: readonly MockPrompt[] = [
  {
    id: 'prompt-answer',
    kind: 'prompt',
    name: 'answer',
    builtIn: true,
    versions: [builtIn(builtInAnswer, 'How questions are answered')]
  },
  {
    id: 'prompt-diagnosis',
    kind: 'prompt',
    name: 'diagnosis',
    builtIn: true,
    versions: [
      own(1, '先看证据再下结论', '先列出证据，再给出结论。\n没有证据时说明没有证据。\n'),
      builtIn('Collect evidence first, conclude afterwards.\n', 'How an alert is diagnosed')
    ]
  },
  {
    id: 'skill-disk-full',
    kind: 'skill',
    name: 'disk-full',
    builtIn: false,
    versions: [
      own(4, 'When a data disk is above 90 %', diskFull({ 4: '5. Ask before anything is deleted.', 20: '' })),
      own(3, 'When a data disk is above 90 %', diskFull({ 4: '5. Delete old logs.' })),
      own(2, 'Disk full', diskFull({ 4: '5. Delete old logs.' })),
      own(1, 'Disk full', '# Disk full\n\n<script>alert(1)</script>\n')
    ]
  },
  {
    id: 'skill-switch-primary',
    kind: 'skill',
    name: 'switch-primary',
    builtIn: false,
    versions: [own(1, '数据库主从切换的步骤与回退方法', '# 主从切换\n\n1. 确认复制延迟为 0。\n2. 切换。\n')]
  }
]
