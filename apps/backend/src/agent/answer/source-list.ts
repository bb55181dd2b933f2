import { AppError, type Source } from '@oncall-agent/api-contracts'
import type { Citation } from '@oncall-agent/retrieval'

/** Markers have three digits at most; nobody reads as many sources. */
const SOURCES_LIMIT = 999

interface Entry {
  readonly source: Omit<Source, 'cited'>
  /** Calls that found it and have not ended. */
  readonly pending: Set<string>
  given: boolean
}

/**
 * The sources of a turn. A marker is reserved while a tool writes its result, and given once its call is recorded: what
 * a failed call found is no source, and its marker is free again.
 */
export class SourceList {
  readonly #byChunk = new Map<string, Entry>()
  readonly #byMarker = new Map<number, Entry>()

  isSource(marker: number): boolean {
    return this.#byMarker.get(marker)?.given ?? false
  }

  get size(): number {
    return this.#byMarker.size
  }

  /** The marker of each; a chunk that came before keeps its own. @throws AppError LIMIT_REACHED */
  reserve(callId: string, citations: readonly Citation[], runId: string | null): readonly number[] {
    return citations.map((citation) => {
      const entry = this.#byChunk.get(citation.id) ?? this.#add(citation, { callId, runId })
      entry.pending.add(callId)
      return entry.source.marker
    })
  }

  /** The call ended well: its sources that are new, by marker. */
  give(callId: string): readonly Source[] {
    const fresh: Source[] = []
    for (const [, entry] of this.#inOrder()) {
      if (!entry.pending.delete(callId) || entry.given) continue
      entry.given = true
      fresh.push({ ...entry.source, cited: false })
    }
    return fresh
  }

  /** The call failed: what only it had found is no source. */
  release(callId: string): void {
    for (const [marker, entry] of this.#byMarker) {
      if (!entry.pending.delete(callId) || entry.given || entry.pending.size > 0) continue
      this.#byMarker.delete(marker)
      this.#byChunk.delete(entry.source.id)
    }
  }

  all(cited: ReadonlySet<number>): readonly Source[] {
    return this.#inOrder()
      .filter(([, entry]) => entry.given)
      .map(([marker, entry]) => ({ ...entry.source, cited: cited.has(marker) }))
  }

  #inOrder(): [number, Entry][] {
    return [...this.#byMarker].toSorted(([left], [right]) => left - right)
  }

  #add(citation: Citation, { callId, runId }: { readonly callId: string; readonly runId: string | null }): Entry {
    let marker = 1
    while (this.#byMarker.has(marker)) marker += 1
    if (marker > SOURCES_LIMIT) {
      throw new AppError('LIMIT_REACHED', { operation: 'cite a source', message: 'The answer has too many sources.' })
    }
    const entry: Entry = { source: { ...citation, marker, runId, callId }, pending: new Set(), given: false }
    this.#byMarker.set(marker, entry)
    this.#byChunk.set(citation.id, entry)
    return entry
  }
}
