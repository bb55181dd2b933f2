export * from './errors/app-error.ts'
export * from './errors/catalogue.ts'
