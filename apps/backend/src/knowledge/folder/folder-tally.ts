import { type Root, isInside } from './resolve-roots.ts'

/** Remembers what a walk saw, to tell a file that is gone from one that could not be looked for. */
export class FolderTally {
  readonly #roots: readonly Root[]
  readonly #seen = new Set<string>()
  readonly #unreadable: string[] = []
  readonly #rootsWithDocuments = new Set<Root>()

  constructor(roots: readonly Root[]) {
    this.#roots = roots
  }

  saw(documentId: string, path: string): void {
    this.#seen.add(documentId)
    const root = this.#rootOf(path)
    if (root !== undefined) this.#rootsWithDocuments.add(root)
  }

  /** A file or folder that is there and cannot be read: nothing under it counts as gone. */
  unreadable(path: string): void {
    this.#unreadable.push(path)
  }

  /**
   * True when the file was under a folder that was walked, and is not there any more. A folder in which no document
   * was found at all proves nothing: it may be a disk that is not mounted.
   */
  isGone(documentId: string, path: string): boolean {
    const root = this.#rootOf(path)
    if (root === undefined || root.kind === 'file' || this.#seen.has(documentId)) return false
    return this.#rootsWithDocuments.has(root) && !this.#unreadable.some((folder) => isInside(path, folder))
  }

  /** Roots that were walked without finding any document. */
  get emptyRoots(): readonly Root[] {
    return this.#roots.filter((root) => root.kind === 'folder' && !this.#rootsWithDocuments.has(root))
  }

  #rootOf(path: string): Root | undefined {
    return this.#roots.find((root) => isInside(path, root.path))
  }
}
