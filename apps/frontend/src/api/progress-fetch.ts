/**
 * A `fetch` over XMLHttpRequest, for uploads: browsers tell how much of a body was sent only there.
 * @param onProgress sent share of the body, 0..1
 */
export function progressFetch(onProgress: (share: number) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const { signal } = init
      const stop = (): void => request.abort()
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : input)
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      request.responseType = 'blob'
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
      request.addEventListener('load', () => resolve(responseOf(request)))
      request.addEventListener('error', () => reject(new TypeError('The server could not be reached.')))
      request.addEventListener('abort', () => reject(new DOMException('The upload was stopped.', 'AbortError')))
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
      if (signal?.aborted === true) return stop()
      signal?.addEventListener('abort', stop)
      request.send((init.body ?? null) as XMLHttpRequestBodyInit | null)
    })
}

function responseOf(request: XMLHttpRequest): Response {
  const body = [101, 204, 205, 304].includes(request.status) ? null : (request.response as Blob)
  const type = request.getResponseHeader('content-type')
  return new Response(body, { status: request.status, headers: type === null ? {} : { 'content-type': type } })
}
