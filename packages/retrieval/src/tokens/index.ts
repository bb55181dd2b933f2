export { identifiers } from './identifiers.ts'
export { TOKENIZER_VERSION, tokenize } from './tokenize.ts'
