export { checkStructuredRequest, DEFAULT_SIZE, MAX_KEYWORD_TOKENS, MAX_SIZE } from './check-structured-request.ts'
export type { CheckedRequest, RequestBounds, RequestFault } from './check-structured-request.ts'
export { meantText, SEARCH_MODES } from './question.ts'
export type { AnswerLanguage, Keyword, SearchMode, StructuredQuestion, StructuredRequest } from './question.ts'
export {
  DEFAULT_KNOWLEDGE_TYPES,
  DEFAULT_STRUCTURED_SETTINGS,
  settingFault,
  STRUCTURED_SETTING_RANGES
} from './settings.ts'
export type { SettingRange, StructuredSettings } from './settings.ts'
