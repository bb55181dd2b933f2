import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { constants, createGzip } from 'node:zlib'

/** What stands between a browser and the server on its way there. */
interface Proxy {
  /** Origin, such as http://127.0.0.1:41234. */
  readonly address: string
  close(): Promise<void>
}

/** A line that can be cut: bytes pass as they are. */
export interface CutLine extends Proxy {
  /** Breaks every connection, and each new one, until it is mended. */
  cut(): void
  mend(): void
}

export async function startCutLine(target: string): Promise<CutLine> {
  const { port } = new URL(target)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect({ host: '127.0.0.1', port: Number(port) })
    for (const [socket, other] of [
      [near, far],
      [far, near]
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      // A broken line is what this is for; its end is told to the other side by the close.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  const cutAll = (): void => open.forEach((socket) => void socket.destroy())
  return {
    address: await listening(server),
    cut: () => {
      isCut = true
      cutAll()
    },
    mend: () => void (isCut = false),
    close: async () => {
      cutAll()
      server.close()
      await once(server, 'close')
    }
  }
}

/** Compresses whatever passes, though the server asks for the stream to be left alone, and lets through what has come. */
export async function startGzipProxy(target: string): Promise<Proxy> {
  const { port } = new URL(target)
  const server = createHttpServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    incoming.pipe(forwarded)
    // The server went away, or the browser: either way the other one is told by the end of its connection.
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    forwarded.on('response', (response) => {
      const { statusCode = 502, headers: given } = response
      const plain = given['content-encoding'] === undefined && statusCode !== 204 && statusCode !== 304
      const { 'content-length': _length, ...kept } = given
      outgoing.writeHead(statusCode, plain ? { ...kept, 'content-encoding': 'gzip' } : given)
      if (plain) response.pipe(createGzip({ flush: constants.Z_SYNC_FLUSH })).pipe(outgoing)
      else response.pipe(outgoing)
    })
  })
  return {
    address: await listening(server),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
