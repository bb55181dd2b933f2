import { PortError } from '@oncall-agent/retrieval'
import { REBUILD_HINT } from '../connection/index.ts'
import type { IndexMark } from './mapping.ts'
import type { FoundIndex } from './read-indices.ts'

/**
 * Each alias must stand for one index that this release made for this embedder.
 * @throws PortError `corrupt`, `newer-format`, `model-mismatch`
 */
export function checkMarks(aliases: readonly string[], found: readonly FoundIndex[], wanted: IndexMark): void {
  checkNames(aliases, found)
  for (const alias of aliases) {
    const behind = found.filter((index) => index.aliases.includes(alias))
    if (behind.length !== 1) {
      const reason = `the alias stands for ${behind.length} indices instead of one`
      throw new PortError('corrupt', { ...at(alias), reason, hint: REBUILD_HINT })
    }
    checkMark(behind[0]!, wanted)
  }
}

/**
 * A server that makes missing indices by itself may have made one instead of an alias. It is not ours to delete.
 * @throws PortError `corrupt`
 */
export function checkNames(aliases: readonly string[], found: readonly FoundIndex[]): void {
  const taken = found.find(({ name }) => aliases.includes(name))?.name
  if (taken === undefined) return
  const hint = `Delete the index ${taken} by hand, then run \`oncall reindex --search-only\`.`
  throw new PortError('corrupt', { ...at(taken), reason: 'an index has the name of an alias', hint })
}

function checkMark({ name, mark }: FoundIndex, wanted: IndexMark): void {
  if (mark === undefined) {
    throw new PortError('corrupt', { ...at(name), reason: 'the index was not made by us', hint: REBUILD_HINT })
  }
  if (mark.format > wanted.format) {
    const reason = `its format ${mark.format} is newer than ${wanted.format}, the newest that this release reads`
    throw new PortError('newer-format', { ...at(name), reason, hint: 'Use the release that made it, or a later one.' })
  }
  if (mark.format < wanted.format) {
    throw new PortError('corrupt', { ...at(name), reason: `its format ${mark.format} is old`, hint: REBUILD_HINT })
  }
  const [is, should] = [describe(mark), describe(wanted)]
  if (is === should) return
  throw new PortError('model-mismatch', {
    ...at(`${name}, of ${is}`),
    reason: `the configured embedder is ${should}`,
    hint: 'Configure the embedder that the index was built with, or run `oncall reindex` to rebuild it for this one.'
  })
}

function at(subject: string): { operation: string; subject: string } {
  return { operation: 'open index', subject }
}

function describe({ model, dimension, normalised, embedder_tokenizer, words }: IndexMark): string {
  const length = normalised ? 'normalised' : 'not normalised'
  return `${model} (${dimension} wide, ${length}, tokenizer ${embedder_tokenizer}, words ${words})`
}
