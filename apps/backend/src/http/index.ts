export { createHttpServer } from './create-http-server.ts'
export type { HttpDependencies, RequestContext } from './dependencies.ts'
