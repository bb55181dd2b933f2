import { invalidInput, routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { entityTagOf, tagged } from '../downloads/entity-tag.ts'
import { sendContent } from '../downloads/send-content.ts'
import { addUploadRoute } from '../uploads/add-upload-route.ts'

/** Documents with their files, text and chunks. */
export function addDocumentRoutes(host: RouteHost, dependencies: HttpDependencies): void {
  const { knowledge } = dependencies

  addUploadRoute(host, routes.uploadDocuments, dependencies, async ({ params, form, files }, caller) => {
    const body = await knowledge.upload(caller, params.id, form, files)
    return { status: form.index ? 202 : 201, body }
  })

  addUploadRoute(host, routes.replaceDocument, dependencies, async ({ params, form, files }, caller) => {
    const [file, ...others] = files
    if (!file || others.length > 0) throw invalidInput([{ field: 'file', problem: 'must be one file' }])
    const body = await knowledge.replace(caller, params.id, form, file)
    return { status: form.index ? 202 : 200, body }
  })

  addRoute(host, routes.documents, async ({ params, query }, { caller }) => ({
    body: await knowledge.documents(caller, params.id, query)
  }))

  addRoute(host, routes.document, async ({ params }, { caller, request }) => {
    const body = await knowledge.document(caller, params.id)
    const answer = tagged(request, entityTagOf(body))
    return answer.status === 304 ? answer : { ...answer, body }
  })

  addRoute(host, routes.documentContent, async ({ params }, { caller, request }) =>
    sendContent(await knowledge.content(caller, params.id), request)
  )

  addRoute(host, routes.documentText, async ({ params, query }, { caller }) => ({
    body: await knowledge.text(caller, params.id, query.version)
  }))

  addRoute(host, routes.documentChunks, async ({ params, query }, { caller }) => ({
    body: await knowledge.chunks(caller, params.id, query)
  }))

  addRoute(host, routes.deleteDocument, async ({ params }, { caller }) => {
    await knowledge.deleteDocument(caller, params.id)
    return {}
  })
}
