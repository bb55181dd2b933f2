import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countDocuments } from './count-documents.ts'
import { FolderTally } from './folder-tally.ts'
import { readFileBounded } from './read-file-bounded.ts'
import { displayPlace, resolveRoots } from './resolve-roots.ts'
import { walkFolders } from './walk-folder.ts'

/** Debian's and most others' `nobody`: a user to whom things can be refused. */
const NOBODY = 65_534

/** Root reads everything, so a refusal is shown to it as somebody else. */
async function asSomebodyElse<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid!(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'oncall-walk-')), 'runbooks')
  mkdirSync(folder)
})
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }))

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path)
  }
}

async function walk(...paths: string[]): Promise<string[]> {
  const seen: string[] = []
  for await (const entry of walkFolders(await resolveRoots(paths.length === 0 ? [folder] : paths))) {
    seen.push(entry.kind === 'document' ? entry.source : `${entry.kind}: ${entry.source}`)
  }
  return seen
}

describe('walking folders', () => {
  it('goes in one order, depth first, names by code units', async () => {
    put('b.md', 'a/z.md', 'a/B.txt', 'Z.md', 'a-b.md', 'c/d/e.pdf')
    expect(await walk()).toEqual([
      'runbooks/Z.md',
      'runbooks/a/B.txt',
      'runbooks/a/z.md',
      'runbooks/a-b.md',
      'runbooks/b.md',
      'runbooks/c/d/e.pdf'
    ])
  })

  it('leaves out what is hidden and node_modules, and names what is not supported', async () => {
    put('a.md', '.hidden/x.md', '.x.md', 'node_modules/p/readme.md', 'picture.png', 'rules.yaml')
    expect(await walk()).toEqual([
      'runbooks/a.md',
      'unsupported: runbooks/picture.png',
      'unsupported: runbooks/rules.yaml'
    ])
  })

  it('walks a hidden folder that was asked for', async () => {
    put('.hidden/x.md')
    expect(await walk(join(folder, '.hidden'))).toEqual(['.hidden/x.md'])
  })

  it('ends where links lead round in a circle', async () => {
    put('a/b/x.md')
    symlinkSync('..', join(folder, 'a/up'))
    symlinkSync('.', join(folder, 'a/b/here'))
    symlinkSync('b/loop', join(folder, 'loop'))
    expect(await walk()).toEqual(['runbooks/a/b/x.md'])
  })

  it('follows a link out of the folder once, and none to what is walked anyway', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'oncall-outside-'))
    writeFileSync(join(outside, 'far.md'), 'x')
    put('a.md', 'dir/b.md')
    symlinkSync(outside, join(folder, 'link1'))
    symlinkSync(outside, join(folder, 'link2'))
    symlinkSync(join(folder, 'dir'), join(folder, 'again'))
    symlinkSync('a.md', join(folder, 'alias.md'))
    expect(await walk()).toEqual(['runbooks/a.md', 'runbooks/dir/b.md', 'runbooks/link1/far.md'])
    rmSync(outside, { recursive: true })
  })

  it('follows links into a hidden folder, as mounted configuration has them', async () => {
    put('..2026_01/a.md')
    symlinkSync('..2026_01', join(folder, '..data'))
    symlinkSync('..data/a.md', join(folder, 'a.md'))
    expect(await walk()).toEqual(['runbooks/a.md'])
  })

  it('reports a link that leads nowhere when it looks like a document', async () => {
    symlinkSync('gone.md', join(folder, 'dangling.md'))
    symlinkSync('gone.png', join(folder, 'dangling.png'))
    put('a.md')
    expect(await walk()).toEqual(['runbooks/a.md', 'unreadable: runbooks/dangling.md'])
  })

  it.skipIf(process.platform !== 'linux')('says of a name that is not UTF-8 that it is the name', async () => {
    const named = (name: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])
    put('a.md', '故障.md')
    writeFileSync(named('bad\xff\xfe.md'), 'x')
    writeFileSync(named('bad\xb9.png'), 'x')
    mkdirSync(named('\xb9\xca\xd5\xcf'))
    writeFileSync(named('\xb9\xca\xd5\xcf/in.md'), 'x')
    expect(await walk()).toEqual([
      'runbooks/a.md',
      'unsupported: runbooks/bad\uFFFD.png',
      'unreadable: runbooks/bad\uFFFD\uFFFD.md',
      'runbooks/故障.md',
      'unreadable: runbooks/\uFFFD\uFFFD\uFFFD\uFFFD'
    ])
    const problem = 'could not be read: its name is not valid UTF-8; rename it'
    const problems: string[] = []
    for await (const entry of walkFolders(await resolveRoots([folder]))) {
      if (entry.kind === 'unreadable') problems.push(entry.problem)
    }
    expect(problems).toEqual([problem, problem])
    await expect(resolveRoots([join(folder, 'bad\uFFFD\uFFFD.md')])).rejects.toMatchObject({
      code: 'PATH_UNREADABLE',
      message: expect.stringContaining(problem)
    })
  })

  it('reports a folder that may not be read and goes on', async () => {
    put('a.md', 'locked/x.md', 'z.md')
    chmodSync(dirname(folder), 0o755)
    chmodSync(join(folder, 'locked'), 0)
    expect(await asSomebodyElse(walk)).toEqual(['runbooks/a.md', 'unreadable: runbooks/locked', 'runbooks/z.md'])
    chmodSync(join(folder, 'locked'), 0o700)
  })

  it('stops between folders when the signal does', async () => {
    put('a/x.md', 'b/y.md')
    const stop = new AbortController()
    const entries = walkFolders(await resolveRoots([folder]), stop.signal)
    await entries.next()
    stop.abort(new Error('enough'))
    await expect(entries.next()).rejects.toThrow('enough')
  })

  it('passes twenty thousand files without holding them', async () => {
    for (let at = 0; at < 20; at++) mkdirSync(join(folder, `d${at}`))
    for (let at = 0; at < 20_000; at++) writeFileSync(join(folder, `d${at % 20}`, `${at}.md`), '')
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    let most = 0
    let seen = 0
    for await (const entry of walkFolders(await resolveRoots([folder]))) {
      if (entry.kind === 'document' && ++seen % 1000 === 0)
        most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    expect(seen).toBe(20_000)
    expect(most).toBeLessThan(64 * 1024 * 1024)
  })
})

describe('given paths', () => {
  it('may be files; a file is named as its folder would name it', async () => {
    put('sub/a.md', 'b.json')
    expect(await walk(join(folder, 'sub/a.md'))).toEqual(['sub/a.md'])
    const [root] = await resolveRoots([join(folder, 'b.json')])
    expect(displayPlace(root!, root!.path)).toEqual({ source: 'runbooks/b.json', folder: dirname(folder) })
    expect(await walk(join(folder, 'b.json'))).toEqual(['unsupported: runbooks/b.json'])
  })

  it('are walked once when one lies in the other or is given twice', async () => {
    put('sub/a.md')
    expect(await walk(folder, join(folder, 'sub'), folder, join(folder, 'sub/a.md'))).toEqual(['runbooks/sub/a.md'])
  })

  it('that do not exist are refused before anything is walked, by name', async () => {
    put('a.md')
    await expect(resolveRoots([folder, join(folder, 'nowhere')])).rejects.toMatchObject({
      code: 'PATH_UNREADABLE',
      message: `${folder}/nowhere does not exist`
    })
    await expect(resolveRoots([join(folder, 'a.md/x')])).rejects.toThrow('part of it is a file')
    await expect(resolveRoots(['/dev/null'])).rejects.toThrow('/dev/null is neither a file nor a folder')
    symlinkSync('self', join(folder, 'self'))
    await expect(resolveRoots([join(folder, 'self')])).rejects.toThrow('leads back to itself')
  })

  it('without a document are refused with what was there instead', async () => {
    put('a.yaml', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png', 'g.png')
    await expect(countDocuments(await resolveRoots([folder]), undefined)).rejects.toMatchObject({
      code: 'NOTHING_TO_INDEX',
      message: `There is no document to index in ${folder}. Not supported: runbooks/a.yaml, runbooks/b.png, runbooks/c.png, runbooks/d.png, runbooks/e.png, and 2 more.`
    })
    put('x.md', 'y.txt')
    expect(await countDocuments(await resolveRoots([folder]), undefined)).toBe(2)
  })
})

describe('what counts as gone', () => {
  it('is a file under a walked folder that was not seen there', async () => {
    put('a.md')
    const tally = new FolderTally(await resolveRoots([folder]))
    tally.saw('id-a', join(folder, 'a.md'))
    expect(tally.isGone('id-a', join(folder, 'a.md'))).toBe(false)
    expect(tally.isGone('id-b', join(folder, 'b.md'))).toBe(true)
    expect(tally.isGone('id-c', '/elsewhere/c.md')).toBe(false)
    expect(tally.isGone('id-d', `${folder}-2/d.md`)).toBe(false)
  })

  it('is nothing under a folder that could not be read', async () => {
    put('a.md')
    const tally = new FolderTally(await resolveRoots([folder]))
    tally.saw('id-a', join(folder, 'a.md'))
    tally.unreadable(join(folder, 'locked'))
    expect(tally.isGone('id-x', join(folder, 'locked/deep/x.md'))).toBe(false)
    expect(tally.isGone('id-y', join(folder, 'locked.md'))).toBe(true)
  })

  it('is nothing under a folder in which nothing was found, or when only a file was given', async () => {
    put('one.md', 'empty/x')
    const roots = await resolveRoots([join(folder, 'one.md'), join(folder, 'empty')])
    const tally = new FolderTally(roots)
    tally.saw('id-one', join(folder, 'one.md'))
    expect(tally.isGone('id-x', join(folder, 'empty/x.md'))).toBe(false)
    expect(tally.isGone('id-old', join(folder, 'one.md'))).toBe(false)
    expect(tally.emptyRoots.map((root) => root.path)).toEqual([join(folder, 'empty')])
  })
})

describe('reading a file', () => {
  it('gives its bytes, or the limit that it passes', async () => {
    put('a.md')
    expect(Buffer.from(await readFileBounded(join(folder, 'a.md'), 'a.md', 4)).toString()).toBe('a.md')
    await expect(readFileBounded(join(folder, 'a.md'), 'x/a.md', 3)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'x/a.md is too large: 4 bytes, and 3 are allowed'
    })
  })

  it('says why it could not', async () => {
    await expect(readFileBounded(join(folder, 'gone.md'), 'gone.md', 9)).rejects.toMatchObject({
      code: 'PATH_UNREADABLE',
      message: 'gone.md does not exist'
    })
    await expect(readFileBounded(folder, 'runbooks', 1e9)).rejects.toMatchObject({ code: 'PATH_UNREADABLE' })
  })
})
