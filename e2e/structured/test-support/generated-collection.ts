import { DEFAULT_KNOWLEDGE_TYPES, type StructuredEntry, tokenize } from '@oncall-agent/retrieval'
import { entryOf, pairOf, Random } from '@oncall-agent/retrieval/conformance'
import { type Collection, vectorOfWords } from './collection.ts'

const DOCUMENTS = 500
/** One document in so many is the twin of the one before: their scores are equal, and only corpus order tells them apart. */
const TWIN_EVERY = 9
/** One in so many is longer than the 39 tokens that Lucene counts exactly, and one in so many than 1,000. */
const LONG_EVERY = 4
const VERY_LONG_EVERY = 120
/** The last so many have the id of another document, in another knowledge base. */
const NAMESAKES = 40
/** The commonest values are the first; more than the 20 that a facet shows. */
const PROJECTS = ['pay', 'Pay', '支付网关', ...Array.from({ length: 23 }, (_, number) => `project-${number}`)]
const EQUIPMENT = ['gw-1', 'db/primary', '核心交换机', ...Array.from({ length: 27 }, (_, number) => `node-${number}`)]
const ERROR_CODES = [
  'E_CONN_RESET',
  'ORA-00942',
  '502',
  '磁盘满',
  ...Array.from({ length: 40 }, (_, number) => `E${1000 + number}`)
]
const ENGLISH = 'disk full gateway timeout restart node the is of and after pod etcd leader lost memory queue'.split(
  ' '
)
/** One character is a word of its own in several of them. */
const CHINESE = '磁盘 网关 超时 重启 节点 内存 队列 卡 慢 满 挂 主从 切换 证书 过期 的 了 连接 拒绝'.split(' ')
const IDENTIFIERS = [
  'KubePodCrashLooping',
  'E_CONN_RESET',
  'v1/chat',
  'ORA-00942',
  'etcd.server:2379',
  'NullPointerException',
  'ＦＵＬＬ－ｗｉｄｔｈ',
  '𠮷野家'
]
/** Longer than the 255 characters at which a whitespace tokenizer of Lucene cuts. */
const ENDLESS_IDENTIFIER = `trace_${'deadbeef'.repeat(40)}`
const JOINS = [' ', ' ', '', '，'] as const

export interface GeneratedOptions {
  /** Fields have so many tokens at most. */
  readonly longest?: number
}

/** Seeded: the same documents on every machine. Several tenants and knowledge bases, every default type. */
export function generatedCollection(seed: number, { longest = Infinity }: GeneratedOptions = {}): Collection {
  const random = new Random(seed)
  const pairs = ['ops', 'ops', 'pay'].map((tenant, number) => pairOf(`tenant-${tenant}`, `kb-${number}`))
  const entries: StructuredEntry[] = []
  for (let number = 0; number < DOCUMENTS; number++) {
    const before = entries.at(-1)
    const namesake = entries[number + NAMESAKES - DOCUMENTS]
    const documentId = namesake?.documentId ?? `d${random.between(100, 999)}-${number}`
    const pair = random.pick(pairs.filter((each) => each.knowledgeBaseId !== namesake?.knowledgeBaseId))
    if (namesake === undefined && before !== undefined && number % TWIN_EVERY === 0) {
      // Of the same moment, or of another one that may lie before.
      const createdAt = before.createdAt + random.pick([0, 0, -5, 5])
      entries.push({ ...before, documentId, createdAt, contentHash: documentId })
      continue
    }
    const title = bounded(longest, () => words(random, random.pick([0, 1, 2, 3, 5])))
    const long = number % 50 === 3 ? ` ${ENDLESS_IDENTIFIER}` : ''
    const body = bounded(longest, () => words(random, lengthOf(random, number)) + long)
    entries.push(
      entryOf(pair, documentId, {
        knowledgeType: random.pick(DEFAULT_KNOWLEDGE_TYPES),
        ...(random.next() < 0.85 ? { project: skewed(random, PROJECTS) } : {}),
        ...(random.next() < 0.7 ? { equipment: skewed(random, EQUIPMENT) } : {}),
        errorCodes: Array.from({ length: random.pick([0, 0, 1, 2, 6]) }, () => skewed(random, ERROR_CODES)),
        title,
        body,
        createdAt: 1_700_000_000_000 + random.between(0, 200),
        ...(random.next() < 0.85 ? { vector: vectorOfWords(`${title} ${body}`) } : {})
      })
    )
  }
  const sentences = Array.from({ length: 40 }, () => words(random, random.between(4, 10)))
  return { name: `generated ${seed}`, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES, entries, sentences }
}

function lengthOf(random: Random, number: number): number {
  if (number % VERY_LONG_EVERY === 1) return random.between(700, 900)
  if (number % LONG_EVERY === 1) return random.between(40, 160)
  return random.between(0, 16)
}

/** The first text that is short enough; with a bound, long ones are made shorter until they are. */
function bounded(longest: number, make: () => string): string {
  let text = make()
  while (tokenize(text).length > longest) text = text.slice(0, text.length / 2).trim()
  return text
}

/** Prefers the first values, as real ones are spread. */
function skewed(random: Random, values: readonly string[]): string {
  return values[Math.floor(values.length * random.next() ** 3)]!
}

/** Both languages mixed, or one alone; identifiers glued to Chinese where nothing stands between. */
function words(random: Random, number: number): string {
  const sources = random.pick([[ENGLISH], [CHINESE], [ENGLISH, CHINESE, IDENTIFIERS], [CHINESE, CHINESE, IDENTIFIERS]])
  let text = ''
  for (let count = 0; count < number; count++) text += random.pick(random.pick(sources)) + random.pick(JOINS)
  return text.trim()
}
