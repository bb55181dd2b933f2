export { createHttpServer } from './create-http-server.ts'
export type { HttpAuth, HttpDependencies, HttpLimits, HttpSystem } from './dependencies.ts'
