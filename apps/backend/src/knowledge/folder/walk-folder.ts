import { isUtf8 } from 'node:buffer'
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { formatOfName } from '../extract/sniff.ts'
import { type Root, describeAccess, displayPlace, isInside, nameNotUtf8 } from './resolve-roots.ts'

export type FolderEntry = FolderFile | UnsupportedFile | UnreadableEntry

/** A file of a supported type. */
export interface FolderFile {
  readonly kind: 'document'
  /** Absolute; decides the document's id. */
  readonly path: string
  readonly source: string
  readonly folder: string
}

export interface UnsupportedFile {
  readonly kind: 'unsupported'
  readonly source: string
  /** It was given by name, so leaving it out is a failure. */
  readonly asked: boolean
}

export interface UnreadableEntry {
  readonly kind: 'unreadable'
  readonly path: string
  readonly source: string
  readonly problem: string
  readonly cause: unknown
}

/**
 * Every file under the roots, in one order on every machine: folder by folder, names by their code units. Holds the
 * names of one folder on each level, and no contents.
 *
 * Left out without a word: names that begin with a dot, and `node_modules`. Symbolic links are followed once: not
 * where their target is walked anyway, not twice to one target, and so never round in a circle.
 * @param leaveOut real path of a folder that is no part of any root: the data folder may lie in what is indexed
 */
export async function* walkFolders(
  roots: readonly Root[],
  signal?: AbortSignal,
  leaveOut?: string
): AsyncGenerator<FolderEntry> {
  const followed = new Set<string>()
  for (const root of roots) {
    const walk: Walk = { root, roots, followed, signal, leaveOut }
    if (root.kind === 'file') yield fileEntry(walk, root.path, true)
    else yield* walkFolder(walk, root.path)
  }
}

interface Walk {
  readonly root: Root
  readonly roots: readonly Root[]
  /** Real paths that links have led to. */
  readonly followed: Set<string>
  readonly signal: AbortSignal | undefined
  readonly leaveOut: string | undefined
}

async function* walkFolder(walk: Walk, folder: string): AsyncGenerator<FolderEntry> {
  walk.signal?.throwIfAborted()
  if (folder === walk.leaveOut) return
  let entries: NamedEntry[]
  try {
    entries = await listFolder(folder)
  } catch (cause) {
    yield unreadableEntry(walk, folder, describeAccess(cause), cause)
    return
  }
  for (const { entry, name, isValidName } of entries) {
    if (isPassedOver(name)) continue
    const path = join(folder, name)
    if (!isValidName) yield* refuseName(walk, path, entry)
    else if (entry.isSymbolicLink()) yield* followLink(walk, path)
    else if (entry.isDirectory()) yield* walkFolder(walk, path)
    else if (entry.isFile()) yield fileEntry(walk, path, false)
  }
}

interface NamedEntry {
  readonly entry: Dirent<Buffer>
  readonly name: string
  /** Otherwise the name has replacement characters in it, and leads to no file. */
  readonly isValidName: boolean
}

async function listFolder(folder: string): Promise<NamedEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  return entries
    .map((entry) => ({ entry, name: entry.name.toString('utf8'), isValidName: isUtf8(entry.name) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A name in an old encoding (GBK) cannot be shown or cited as it is. */
function* refuseName(walk: Walk, path: string, entry: Dirent<Buffer>): Generator<FolderEntry> {
  if (entry.isDirectory() || formatOfName(path) !== undefined) yield unreadableEntry(walk, path, nameNotUtf8)
  else if (entry.isFile()) yield fileEntry(walk, path, false)
}

async function* followLink(walk: Walk, path: string): AsyncGenerator<FolderEntry> {
  let target: string
  let found
  try {
    target = await realpath(path)
    found = await stat(target)
  } catch (cause) {
    // A dangling link to a picture is nobody's concern; one that looks like a document is.
    if (formatOfName(path) !== undefined) yield unreadableEntry(walk, path, describeAccess(cause), cause)
    return
  }
  if (walk.followed.has(target) || walk.roots.some((root) => isWalked(root, target))) return
  walk.followed.add(target)
  if (found.isDirectory()) yield* walkFolder(walk, path)
  else if (found.isFile()) yield fileEntry(walk, path, false)
}

/** The walk comes by there without the link. */
function isWalked(root: Root, target: string): boolean {
  if (!isInside(target, root.path)) return false
  return relative(root.path, target)
    .split(sep)
    .every((name) => !isPassedOver(name))
}

function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

function fileEntry(walk: Walk, path: string, asked: boolean): FolderEntry {
  const place = displayPlace(walk.root, path)
  if (formatOfName(path) === undefined) return { kind: 'unsupported', source: place.source, asked }
  return { kind: 'document', path, ...place }
}

function unreadableEntry(walk: Walk, path: string, problem: string, cause?: unknown): UnreadableEntry {
  return { kind: 'unreadable', path, source: displayPlace(walk.root, path).source, problem, cause }
}
