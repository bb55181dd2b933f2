import { execFile, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tokenize } from '@oncall-agent/retrieval'
import { AppError } from '@oncall-agent/api-contracts'
import { forEachChunk, type RivalCorpus } from './rival-corpus.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('tantivy_rival.py', import.meta.url))
/** The version that our figures were taken with. */
const tantivyPackage = 'tantivy==0.27.0'

/** A Python that can import tantivy, or why there is none. */
export type TantivyPython = { readonly python: string } | { readonly missing: string }

/** Looks in the cache folder's virtual environment, then at the system's Python; installs nothing. */
export async function findTantivy(cacheDirectory: string): Promise<TantivyPython> {
  for (const python of [venvPython(cacheDirectory), 'python3']) {
    if (await imports(python)) return { python }
  }
  return { missing: 'no Python with tantivy; --with-tantivy makes one in the cache folder' }
}

/** Makes a virtual environment with tantivy in the cache folder. @throws AppError SYSTEM_UNAVAILABLE with pip's words */
export async function installTantivy(cacheDirectory: string): Promise<void> {
  const folder = join(cacheDirectory, 'tantivy')
  try {
    await run('python3', ['-m', 'venv', folder])
    await run(venvPython(cacheDirectory), ['-m', 'pip', 'install', '--quiet', tantivyPackage])
  } catch (cause) {
    throw new AppError('SYSTEM_UNAVAILABLE', {
      operation: 'install the tantivy rival',
      subject: folder,
      message: `${tantivyPackage} could not be installed.`,
      hint: 'Python 3 with venv and a package index are needed; without them leave --with-tantivy out.',
      cause
    })
  }
}

/** Tantivy over the same tokens, with the knowledge base as a term that must match. */
export class TantivyRival {
  readonly #python: string
  readonly #folder: string

  private constructor(python: string, folder: string) {
    this.#python = python
    this.#folder = folder
  }

  static async open(python: string, folder: string, corpus: RivalCorpus): Promise<TantivyRival> {
    const there = await stat(folder).catch(() => undefined)
    if (there === undefined) await build(python, folder, corpus)
    return new TantivyRival(python, folder)
  }

  /** Milliseconds of each query inside tantivy's own process, each after a first run that does not count. */
  async time(queries: readonly (readonly string[])[], knowledgeBaseId: string): Promise<readonly number[]> {
    const lines = queries.map((tokens) => tokens.join(' ')).join('\n')
    const answer = await pipe(this.#python, [script, 'search', this.#folder, knowledgeBaseId], [`${lines}\n`])
    return (JSON.parse(answer) as { milliseconds: readonly number[] }).milliseconds
  }
}

function venvPython(cacheDirectory: string): string {
  return process.platform === 'win32'
    ? join(cacheDirectory, 'tantivy', 'Scripts', 'python.exe')
    : join(cacheDirectory, 'tantivy', 'bin', 'python')
}

async function imports(python: string): Promise<boolean> {
  return run(python, ['-c', 'import tantivy']).then(
    () => true,
    () => false
  )
}

async function build(python: string, folder: string, corpus: RivalCorpus): Promise<void> {
  const lines: string[] = []
  forEachChunk(corpus, (number, slot) => {
    lines.push(`${slot.knowledgeBaseId}\t${tokenize(corpus.text(number)).join(' ')}\n`)
  })
  await pipe(python, [script, 'build', folder], lines)
}

/** Runs a program with lines on its standard input; its standard output. Rejects with its last words when it fails. */
function pipe(program: string, args: readonly string[], lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args)
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${program} ended with ${code}: ${complaint.trim().slice(-500)}`))
    })
    // A child that ended early has said why on stderr; the broken pipe itself tells nothing more.
    child.stdin.on('error', () => undefined)
    child.stdin.end(lines.join(''))
  })
}
