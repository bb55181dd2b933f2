import type { AnswerLanguage } from '../request/index.ts'
import type { SearchStatus } from './transitions.ts'

type Banner = Readonly<Record<AnswerLanguage, string>>

/** Shown word for word by every client above hits that are less than asked for. The Chinese of `loose_hit` is the contract's. */
const BANNERS: Readonly<Partial<Record<SearchStatus, Banner>>> = {
  loose_hit: {
    zh: '没有完全匹配的知识，以下为相关参考，仅供参考。',
    en: 'Nothing matches completely. The following is related, for reference only.'
  },
  vector_only: {
    zh: '没有匹配到任何关键词，以下仅为语义相近的内容，可信度低，仅供参考。',
    en: 'No keyword matches. The following is only similar in meaning: low confidence, for reference only.'
  }
}

/** The banner of a status; undefined where an answer needs none. */
export function bannerOf(status: SearchStatus, language: AnswerLanguage): string | undefined {
  return BANNERS[status]?.[language]
}
