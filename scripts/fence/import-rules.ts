import type { IForbiddenRuleType, IRegularForbiddenRuleType } from 'dependency-cruiser'

const backend = '^apps/backend/src'
const rooms = '(knowledge|search|agent|oncall)'
const foundations = '(store|jobs|models|auth|config|observability)'
const delivery = '(http|mcp|cli)'
/** Tests, the suites that every implementation of a port must pass, and what both are fed with. */
const testOnly = ['[.](test|conformance)[.]ts$', '/test-(material|support)/']

/** What makes a file of the product once and is not shipped with it. */
const buildOnly = ['/build-[^/]+[.]ts$', '^packages/[^/]+/build/', '^apps/frontend/([^/]+[.]config[.]ts$|dev/)']

/** One rule, one sentence of the architecture; `comment` says how to mend a violation. */
type Rule = IRegularForbiddenRuleType & { name: string; comment: string }

const packageRules: Rule[] = [
  {
    name: 'retrieval-is-pure',
    comment: 'packages/retrieval does no I/O: no Node builtin, no npm package, no other workspace. Pass the data in.',
    from: { path: '^packages/retrieval/src', pathNot: testOnly },
    to: { pathNot: '^packages/retrieval/src' }
  },
  {
    name: 'contracts-know-only-zod',
    comment: 'packages/api-contracts is shared with the browser: zod and nothing else.',
    from: { path: '^packages/api-contracts/src', pathNot: testOnly },
    to: { pathNot: ['^packages/api-contracts/src', '(^|/)node_modules/zod/'] }
  },
  {
    name: 'engines-and-models-know-only-retrieval',
    comment: 'An engine or a model implements a port of packages/retrieval; it must not know who calls it.',
    from: { path: '^packages/(engines|bundled-models)/' },
    to: { path: '^(apps|evaluation|e2e|packages/(?!retrieval/)[^/]+)/', pathNot: '^packages/$1/' }
  },
  {
    name: 'engines-do-not-know-each-other',
    comment: 'What two engines share goes to packages/engines/src/shared.',
    from: { path: '^packages/engines/src/(?!shared/)([^/]+)/' },
    to: {
      path: '^packages/engines/src/[^/]+/',
      pathNot: ['^packages/engines/src/$1/', '^packages/engines/src/shared/']
    }
  },
  {
    name: 'frontend-speaks-http',
    comment: 'The page reaches the server over HTTP and shares only packages/api-contracts with it.',
    from: { path: '^apps/frontend/' },
    to: { path: '^(apps|evaluation|e2e|packages/(?!api-contracts/)[^/]+)/', pathNot: '^apps/frontend/' }
  },
  {
    name: 'nobody-imports-an-app',
    comment: 'apps are leaves; only evaluation and e2e may drive one.',
    from: { path: '^packages/' },
    to: { path: '^apps/' }
  },
  {
    name: 'nobody-imports-evaluation-or-e2e',
    comment: 'They measure the product; the product never depends on them.',
    from: { path: '^(apps|packages|evaluation|e2e)/', pathNot: '^(evaluation|e2e)/' },
    to: { path: '^(evaluation|e2e)/' }
  },
  {
    name: 'packages-by-name',
    comment: 'Reach another workspace by its package name and its exports, never by ../../other/src.',
    from: { path: '^((?:apps|packages)/[^/]+|evaluation|e2e|scripts)/' },
    to: { path: '^(apps/[^/]+|packages/[^/]+|evaluation|e2e)/', pathNot: '^$1/', dependencyTypes: ['local'] }
  },
  {
    name: 'declared-dependencies-only',
    comment: 'npm hoists, so an undeclared package resolves by luck. Declare it in the package.json of this workspace.',
    from: { path: '^(apps|packages)/', pathNot: [...testOnly, ...buildOnly] },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] }
  },
  {
    name: 'tools-declare-too',
    comment: 'What measures or builds the product may use development dependencies, but declares them all the same.',
    from: { path: ['^(evaluation|e2e)/', ...buildOnly], pathNot: testOnly },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }
  }
]

const backendRules: Rule[] = [
  {
    name: 'rooms-by-front-door',
    comment: 'Import another folder of the backend through its index.ts.',
    from: { path: `${backend}/([^/]+)` },
    to: { path: `${backend}/[^/]+/.+`, pathNot: [`${backend}/(composition|$1)/`, `${backend}/[^/]+/index[.]ts$`] }
  },
  {
    name: 'rooms-flow-one-way',
    comment: 'oncall -> agent -> search. knowledge and search know no other room.',
    from: { path: `${backend}/(knowledge|search)/` },
    to: { path: `${backend}/${rooms}/`, pathNot: `${backend}/$1/` }
  },
  {
    name: 'agent-knows-only-search',
    comment: 'agent may call search; not oncall.',
    from: { path: `${backend}/agent/` },
    to: { path: `${backend}/oncall/` }
  },
  {
    name: 'knowledge-stands-alone',
    comment: 'No room imports knowledge. To feed something back, compose.ts passes a function.',
    from: { path: `${backend}/(search|agent|oncall)/` },
    to: { path: `${backend}/knowledge/` }
  },
  {
    name: 'foundations-know-no-room',
    comment: 'Foundations serve every room, so they may know none.',
    from: { path: `${backend}/${foundations}/` },
    to: { path: `${backend}/(${rooms}|${delivery})/` }
  },
  {
    name: 'delivery-is-outermost',
    comment: 'Only compose.ts, composition/ and main.ts may import http, mcp and cli.',
    from: {
      path: `${backend}/`,
      pathNot: [`${backend}/(composition|${delivery})/`, `${backend}/(compose|main|index)[.]ts$`]
    },
    to: { path: `${backend}/${delivery}/` }
  },
  {
    name: 'compose-is-called-by-main',
    comment:
      'compose.ts wires everything; only main.ts and the public index.ts reach it. Pass what is needed as a value.',
    from: { path: `${backend}/.+/`, pathNot: testOnly },
    to: { path: `${backend}/(compose|main|index)[.]ts$` }
  },
  {
    name: 'composition-belongs-to-compose',
    comment: 'composition/ is compose.ts in several files; nothing else imports it. Pass what is needed as a value.',
    from: { path: `${backend}/`, pathNot: [`${backend}/composition/`, `${backend}/compose[.]ts$`] },
    to: { path: `${backend}/composition/` }
  },
  {
    name: 'engines-are-chosen-once',
    comment: 'Concrete engines and models are named only in compose.ts; everything else takes the port.',
    from: { path: `${backend}/`, pathNot: [`${backend}/compose[.]ts$`, ...testOnly] },
    to: { path: '^packages/(engines|bundled-models)/' }
  }
]

const moduleRules: Rule[] = [
  {
    name: 'sqlite-lives-in-store',
    comment: 'Only store/ and the embedded engine open a database.',
    from: {
      path: '^(apps|packages)/',
      pathNot: [`${backend}/store/`, '^packages/engines/src/embedded/', ...testOnly]
    },
    to: { path: ['^(node:)?sqlite$', '(^|/)node_modules/kysely/'] }
  },
  {
    name: 'fastify-lives-in-http',
    comment: 'Only http/ may import Fastify and its plugins.',
    from: { path: '^(apps|packages)/', pathNot: `${backend}/http/` },
    to: { path: '(^|/)node_modules/(fastify|@fastify|fastify-[^/]+)/' }
  },
  {
    name: 'langchain-lives-in-agent',
    comment:
      'Only agent/answer may import LangChain, and loads it with the first answer; everything else takes its ports.',
    from: { path: '^(apps|packages)/', pathNot: `${backend}/agent/answer/` },
    to: { path: '(^|/)node_modules/(langchain|@langchain|langsmith|openai)/' }
  },
  {
    name: 'langchain-is-loaded-late',
    comment: 'A second of code: import its types with `import type`, and itself with `await import(…)` at first use.',
    from: { path: `${backend}/agent/answer/` },
    to: {
      path: '(^|/)node_modules/(langchain|@langchain)/',
      dependencyTypesNot: ['type-only', 'dynamic-import']
    }
  },
  {
    name: 'mcp-sdk-lives-in-two-rooms',
    comment: 'Only agent/servers (our client) and mcp/ (our server) speak the Model Context Protocol.',
    from: { path: '^(apps|packages)/', pathNot: [`${backend}/(agent/servers|mcp)/`] },
    to: { path: '(^|/)node_modules/@modelcontextprotocol/' }
  },
  {
    name: 'no-test-in-product',
    comment: 'Product code must not import tests or what they are fed with.',
    from: { path: '^(apps|packages)/[^/]+/src', pathNot: testOnly },
    to: { path: ['[.]test[.]ts$', '/test-(material|support)/'] }
  },
  {
    name: 'no-cycles',
    comment: 'Two files import each other. Move the shared part to the file lower in the flow.',
    from: {},
    to: { circular: true }
  },
  {
    name: 'imports-resolve',
    comment: 'The imported file or package does not exist.',
    from: {},
    // Packages of types alone have nothing to resolve to; the type check proves that they are there.
    to: { couldNotResolve: true, pathNot: '^mdast$' }
  }
]

export const importRules: readonly (IForbiddenRuleType & { name: string; comment: string })[] = [
  ...packageRules,
  ...backendRules,
  ...moduleRules
].map((rule) => ({ ...rule, severity: 'error' as const }))
