import type { TextRole } from '../tokenizer/e5-tokenizer.ts'
import { readJsonWeight } from '../weights/weight-files.ts'
import type { TextLanguage } from './text-language.ts'

/**
 * Mean E5 vectors by role and language. E5 puts the language above the meaning in a mixed corpus (zh→en nDCG@10 0.10);
 * with the means taken away it is 0.70.
 */
export interface Means {
  of(role: TextRole, language: TextLanguage): Float32Array
}

/** @throws PortError corrupt */
export function loadMeans(folder: string, name: 'language-means.json' | 'token-means.json'): Means {
  const raw = readJsonWeight<Readonly<Record<string, readonly number[]>>>(folder, name)
  const means = new Map(Object.entries(raw).map(([key, values]) => [key, Float32Array.from(values)]))
  // Keys of the files: d(ocument) or q(uery), then z(h) or e(n).
  return { of: (role, language) => means.get((role === 'query' ? 'q' : 'd') + (language === 'zh' ? 'z' : 'e'))! }
}
