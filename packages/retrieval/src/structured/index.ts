export * from './ladder/index.ts'
export * from './request/index.ts'
export * from './scoring/index.ts'
export * from './tune/index.ts'
