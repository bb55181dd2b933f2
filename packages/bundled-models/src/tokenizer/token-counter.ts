import { BUNDLED_WEIGHTS } from '../weights/weight-files.ts'
import { loadE5Tokenizer } from './e5-tokenizer.ts'

/**
 * Counts what the bundled embedder counts for a passage: its prefix and marks included, nothing cut; so a text of at
 * most `Embedder.limits.maxTokens` is embedded whole. Reads the vocabulary at the first call, never a model.
 * @throws PortError corrupt, at the first call
 */
export function createTokenCounter(weightsFolder: string = BUNDLED_WEIGHTS): (text: string) => number {
  return (text) => loadE5Tokenizer(weightsFolder).count(text, 'passage')
}
