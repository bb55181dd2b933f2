/**
 * Sentences that a contract fixes word for word, and how a Chinese reader is told the same. Answers have the English one,
 * whoever asks: programs compare it.
 */
export const fixedMessages = {
  retrievalUnavailable: {
    en: 'Knowledge retrieval is temporarily unavailable.',
    zh: '知识检索暂时不可用。'
  },
  rerankingUnavailable: {
    en: 'Knowledge reranking is temporarily unavailable.',
    zh: '知识重排暂时不可用。'
  },
  structuredSearchUnavailable: {
    en: 'Structured search is temporarily unavailable.',
    zh: '结构化检索暂时不可用。'
  }
} as const

/** The Chinese of a fixed sentence; undefined for any other text. */
export function chineseOfFixed(message: string): string | undefined {
  return Object.values(fixedMessages).find(({ en }) => en === message)?.zh
}
