import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const repository = resolve(import.meta.dirname, '../..')
const nodeFolder = dirname(process.execPath)

interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A repository of scripts alone, in a path with a space, whose two programs print what they were given. */
describe('the entry scripts', () => {
  let folder: string
  let root: string

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'oncall scripts ')))
    root = join(folder, 'a clone')
    for (const path of [
      'bin',
      'scripts/lib',
      'scripts/setup.sh',
      'scripts/build-page.sh',
      'scripts/start-local.sh',
      '.node-version'
    ]) {
      cpSync(join(repository, path), join(root, path), { recursive: true })
    }
    program('apps/backend/src/main.ts', 'backend')
    program('evaluation/src/main.ts', 'evaluation')
    tool('npm', 'echo "npm $*" >>"$NPM_CALLS"; exit 1')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (file: string, text: string): string => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    return join(root, file)
  }
  const program = (file: string, name: string): string =>
    write(file, `console.log(JSON.stringify(['${name}', process.cwd(), ...process.argv.slice(2)]))\n`)
  const tool = (name: string, line: string): void => chmodSync(write(`tools/${name}`, `#!/bin/sh\n${line}\n`), 0o755)
  const installPackages = (): void => {
    write('package-lock.json', '{"packages":{}}')
    write('node_modules/.package-lock.json', '{"packages":{}}')
  }
  /** A page whose build is told and whose result is one file. */
  const pageSources = (): void => {
    write('apps/frontend/package.json', '{}')
    write('apps/frontend/src/main.ts', 'first')
    write('packages/api-contracts/src/index.ts', '')
    tool(
      'npm',
      'echo "npm $*" >>"$NPM_CALLS"; mkdir -p apps/frontend/dist.next && echo built >apps/frontend/dist.next/index.html'
    )
  }
  const npmCalls = (): string[] => {
    const file = join(root, 'npm-calls')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }
  const environment = (first: string): NodeJS.ProcessEnv => ({
    PATH: [first, join(root, 'tools'), '/usr/bin', '/bin'].join(':'),
    NPM_CALLS: join(root, 'npm-calls')
  })
  const run = (file: string, args: string[] = [], first = nodeFolder): Promise<Finished> =>
    new Promise((done) => {
      execFile(file, args, { cwd: folder, env: environment(first) }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, stdout, stderr })
      )
    })

  test('bin/oncall runs the backend through a symbolic link, in the folder of the caller', async () => {
    installPackages()
    symlinkSync('a clone/bin/oncall', join(folder, 'first'))
    symlinkSync(join(folder, 'first'), join(folder, 'second'))
    const { stdout } = await run(join(folder, 'second'), ['retrieve', '磁盘 满了', '--top-k', '3'])
    expect(JSON.parse(stdout)).toEqual(['backend', folder, 'retrieve', '磁盘 满了', '--top-k', '3'])
  })

  test.each(['eval', 'bench'])('bin/oncall %s runs the evaluation', async (command) => {
    installPackages()
    const { stdout } = await run(join(root, 'bin/oncall'), [command, '--json'])
    expect(JSON.parse(stdout)).toEqual(['evaluation', folder, command, '--json'])
  })

  test('bin/oncall hands the exit code on', async () => {
    installPackages()
    write('apps/backend/src/main.ts', 'process.exitCode = 2\n')
    expect((await run(join(root, 'bin/oncall'))).code).toBe(2)
  })

  test('bin/oncall is replaced by the program, so that a signal reaches it', async () => {
    installPackages()
    write(
      'apps/backend/src/main.ts',
      "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1e3); console.log('up')\n"
    )
    const child = spawn(join(root, 'bin/oncall'), ['serve'], { env: environment(nodeFolder) })
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await new Promise((done) => child.once('exit', done))).toBe(7)
  })

  test('bin/oncall says what to run when the packages are missing', async () => {
    const { code, stderr } = await run(join(root, 'bin/oncall'), ['doctor'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('scripts/setup.sh')])
  })

  test('bin/oncall never fetches Node itself', async () => {
    installPackages()
    tool('node', 'echo 20')
    const { code, stderr } = await run(join(root, 'bin/oncall'), ['doctor'], '/nowhere')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Run scripts/setup.sh first')])
    expect(existsSync(join(root, 'npm-calls'))).toBe(false)
  })

  test('setup fetches nothing when the system has the right Node and the packages are there', async () => {
    installPackages()
    const { code } = await run(join(root, 'scripts/setup.sh'))
    expect(code).toBe(0)
    expect(existsSync(join(root, 'npm-calls')) || existsSync(join(root, '.node'))).toBe(false)
  })

  test('setup asks npm for the pinned Node when the system has another, and says so when that fails', async () => {
    installPackages()
    tool('node', 'echo 20')
    const { code, stderr } = await run(join(root, 'scripts/setup.sh'), [], '/nowhere')
    expect(code).toBe(1)
    expect(stderr).toMatch(/Fetching Node 24[\s\S]*could not install node@24/)
  })

  test('start-local passes further arguments to serve, which alone knows the address to tell', async () => {
    installPackages()
    pageSources()
    await run(join(root, 'scripts/build-page.sh'))
    const { stdout, stderr } = await run(join(root, 'scripts/start-local.sh'), ['--data', 'my data'])
    expect(JSON.parse(stdout)).toEqual(['backend', folder, 'serve', '--data', 'my data'])
    expect(stderr).toBe('')
  })

  const buildPage = () => run(join(root, 'scripts/build-page.sh'))

  test('the page is built once, and again only when a source of it has changed', async () => {
    installPackages()
    pageSources()
    expect((await buildPage()).stderr).toContain('Building the page')
    await buildPage()
    expect(npmCalls()).toHaveLength(1)
    write('apps/frontend/src/main.ts', 'second')
    await buildPage()
    write('packages/api-contracts/src/more.ts', '')
    await buildPage()
    write('apps/frontend/dev/mock.ts', 'is no part of the page')
    await buildPage()
    expect(npmCalls()).toHaveLength(3)
  })

  test.each(['unset ROOT', 'ROOT='])('node.sh refuses to work without a repository: %s', async (line) => {
    const { code, stderr } = await run('/bin/sh', ['-c', `${line}; . '${root}/scripts/lib/node.sh'; echo went on >&2`])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/ROOT.*must be the folder of the repository\s*$/)
  })
})
