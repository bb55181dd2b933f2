/** One violation to plant in a copy of the tree, and the rule that must catch it there. */
export interface Plant {
  /** Absent for a file that only another plant needs. */
  readonly rule?: string
  readonly file: string
  readonly text: string
}

const backend = 'apps/backend/src'
const name = (workspace: string): string => `@oncall-agent/${workspace}`

const uses = (module: string): string => `import * as planted from '${module}'\nexport const used = planted\n`
const usesType = (module: string): string =>
  `import type * as planted from '${module}'\nexport type Used = typeof planted\n`
const plant = (rule: string, file: string, text: string): Plant => ({ rule, file, text })

/** Doors that the plants knock on; created only where the tree does not have them yet. */
export const doors: readonly string[] = [
  ...['knowledge', 'search', 'agent', 'oncall', 'store', 'config', 'observability', 'http', 'cli'].map(
    (room) => `${backend}/${room}/index.ts`
  ),
  `${backend}/compose.ts`,
  `${backend}/index.ts`,
  ...['packages/retrieval', 'packages/bundled-models', 'evaluation', 'e2e'].map(
    (workspace) => `${workspace}/src/index.ts`
  ),
  'packages/engines/src/embedded/index.ts',
  'apps/frontend/src/index.ts'
]

const betweenPackages: Plant[] = [
  plant('retrieval-is-pure', 'packages/retrieval/src/zz-builtin.ts', uses('node:fs')),
  plant('retrieval-is-pure', 'packages/retrieval/src/zz-npm.ts', uses('zod')),
  plant('retrieval-is-pure', 'packages/retrieval/src/zz-workspace.ts', usesType(name('api-contracts'))),
  plant('contracts-know-only-zod', 'packages/api-contracts/src/zz-workspace.ts', uses(name('retrieval'))),
  plant('contracts-know-only-zod', 'packages/api-contracts/src/zz-builtin.ts', uses('node:crypto')),
  plant(
    'engines-and-models-know-only-retrieval',
    'packages/engines/src/zz/contracts.ts',
    usesType(name('api-contracts'))
  ),
  plant(
    'engines-and-models-know-only-retrieval',
    'packages/bundled-models/src/zz-engine.ts',
    uses(name('engines/embedded'))
  ),
  plant('engines-do-not-know-each-other', 'packages/engines/src/zz/neighbour.ts', uses('../zz-other/engine.ts')),
  { file: 'packages/engines/src/zz-other/engine.ts', text: 'export const engine = 1\n' },
  plant('frontend-speaks-http', 'apps/frontend/src/zz-room.ts', uses('../../../packages/retrieval/src/index.ts')),
  plant('nobody-imports-an-app', 'packages/engines/src/zz/app.ts', uses(name('backend'))),
  plant(
    'nobody-imports-evaluation-or-e2e',
    `${backend}/search/zz-evaluation.ts`,
    uses('../../../../evaluation/src/index.ts')
  ),
  plant('nobody-imports-evaluation-or-e2e', 'packages/engines/src/zz/e2e.ts', uses('../../../../e2e/src/index.ts')),
  plant('packages-by-name', `${backend}/search/zz-by-path.ts`, uses('../../../../packages/retrieval/src/index.ts')),
  plant('packages-by-name', 'evaluation/src/zz-by-path.ts', uses('../../packages/retrieval/src/index.ts')),
  plant('declared-dependencies-only', `${backend}/search/zz-undeclared.ts`, uses('typescript')),
  plant(
    'declared-dependencies-only',
    `${backend}/search/zz-development.ts`,
    uses('@seriousme/openapi-schema-validator')
  ),
  plant('tools-declare-too', 'evaluation/src/zz-undeclared.ts', uses('typescript')),
  plant('imports-resolve', `${backend}/search/zz-undeclared.test.ts`, uses('zz-not-a-package'))
]

const insideBackend: Plant[] = [
  plant('rooms-by-front-door', `${backend}/agent/zz-side-door.ts`, uses('../search/zz-inner.ts')),
  plant('rooms-by-front-door', `${backend}/zz-side-door.ts`, uses('./search/zz-inner.ts')),
  { file: `${backend}/search/zz-inner.ts`, text: 'export const inner = 1\n' },
  plant('rooms-flow-one-way', `${backend}/search/zz-room.ts`, uses('../agent/index.ts')),
  plant('agent-knows-only-search', `${backend}/agent/zz-room.ts`, uses('../oncall/index.ts')),
  plant('knowledge-stands-alone', `${backend}/oncall/zz-room.ts`, uses('../knowledge/index.ts')),
  plant('foundations-know-no-room', `${backend}/store/zz-room.ts`, usesType('../search/index.ts')),
  plant('delivery-is-outermost', `${backend}/oncall/zz-delivery.ts`, uses('../http/index.ts')),
  plant('compose-is-called-by-main', `${backend}/cli/zz-compose.ts`, uses('../compose.ts')),
  plant('composition-belongs-to-compose', `${backend}/http/zz-composition.ts`, uses('../composition/open-once.ts')),
  plant('engines-are-chosen-once', `${backend}/search/zz-engine.ts`, uses(name('engines/embedded'))),
  plant('engines-are-chosen-once', `${backend}/cli/zz-models.ts`, usesType(name('bundled-models'))),
  plant('sqlite-lives-in-store', `${backend}/observability/zz-sqlite.ts`, uses('node:sqlite')),
  plant('sqlite-lives-in-store', `${backend}/search/zz-kysely.ts`, uses('kysely')),
  plant('fastify-lives-in-http', `${backend}/oncall/zz-fastify.ts`, uses('fastify')),
  plant('langchain-lives-in-agent', `${backend}/search/zz-langchain.ts`, uses('langchain')),
  plant('langchain-lives-in-agent', `${backend}/agent/tools/zz-langchain.ts`, usesType('@langchain/core/tools')),
  plant('langchain-is-loaded-late', `${backend}/agent/answer/zz-langchain.ts`, uses('@langchain/openai')),
  plant('mcp-sdk-lives-in-two-rooms', `${backend}/http/zz-mcp.ts`, uses('@modelcontextprotocol/sdk/types.js')),
  plant('mcp-sdk-lives-in-two-rooms', `${backend}/agent/zz-mcp.ts`, usesType('@modelcontextprotocol/sdk/types.js')),
  plant('no-test-in-product', `${backend}/oncall/zz-test.ts`, uses('./zz-planted.test.ts')),
  { file: `${backend}/oncall/zz-planted.test.ts`, text: 'export const planted = 1\n' },
  plant('no-cycles', `${backend}/store/zz-here.ts`, uses('./zz-there.ts')),
  { file: `${backend}/store/zz-there.ts`, text: uses('./zz-here.ts') },
  plant('imports-resolve', `${backend}/store/zz-nowhere.ts`, uses('./zz-does-not-exist.ts'))
]

const insideFiles: Plant[] = [
  plant('environment-has-one-door', `${backend}/search/zz-env-dot.ts`, 'export const port = process.env.PORT\n'),
  plant(
    'environment-has-one-door',
    `${backend}/search/zz-env-index.ts`,
    "export const port = process['env']['PORT']\n"
  ),
  plant(
    'environment-has-one-door',
    `${backend}/search/zz-env-taken.ts`,
    'const { env } = process\nexport const port = env\n'
  ),
  plant(
    'environment-has-one-door',
    'packages/engines/src/zz/env.ts',
    "import { env } from 'node:process'\nexport const e = env\n"
  ),
  plant('sql-lives-in-store', `${backend}/search/zz-select.ts`, "export const q = 'SELECT id FROM chunks'\n"),
  plant(
    'sql-lives-in-store',
    `${backend}/knowledge/zz-insert.ts`,
    'export const q = (t: string) => `insert into ${t} values (1)`\n'
  ),
  plant('sql-lives-in-store', 'packages/engines/src/zz/pragma.ts', "export const q = 'PRAGMA user_version'\n")
]

export const plants: readonly Plant[] = [...betweenPackages, ...insideBackend, ...insideFiles]

/** What must stay allowed: a rule that catches these is too wide. */
export const innocents: readonly Plant[] = [
  { file: 'packages/retrieval/src/zz-innocent.test.ts', text: uses('node:fs') },
  {
    file: `${backend}/cli/zz-innocent.ts`,
    text: uses('../search/index.ts') + uses('../store/index.ts').replaceAll('planted', 'other').replace('used', 'more')
  },
  { file: `${backend}/agent/zz-innocent.ts`, text: uses('../search/index.ts') },
  { file: `${backend}/http/zz-innocent.ts`, text: uses('fastify') },
  { file: `${backend}/agent/servers/zz-innocent.ts`, text: uses('@modelcontextprotocol/sdk/types.js') },
  {
    file: `${backend}/search/zz-innocent.ts`,
    text: "// process.env and SELECT a FROM b in a comment\nexport const text = 'Select a file from the list'\n"
  }
]
