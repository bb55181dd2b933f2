import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Stands before an engine and lets requests through, or keeps some back. */
export interface EngineGate {
  readonly url: string
  /** Keeps back every request from now on. */
  readonly shut: () => void
  /** Requests pass again; those kept back stay so. */
  readonly open: () => void
  /** Keeps back the next request whose head has this text, and that one alone. */
  readonly holdNext: (text: string) => void
  /** Sends on what was kept back, though whoever sent it has left, and waits for the engine's answers; how many there were. */
  readonly deliver: () => Promise<number>
  readonly close: () => Promise<void>
}

export async function gateBefore(url: string): Promise<EngineGate> {
  const target = { host: '127.0.0.1', port: Number(new URL(url).port) }
  const sockets = new Set<Socket>()
  const heldBack: Buffer[][] = []
  let wanted: ((head: string) => boolean) | undefined
  let isOnce = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    const onward = connect(target)
    let held: Buffer[] | undefined
    keep(socket)
    keep(onward)
    socket.on('data', (chunk: Buffer) => {
      if (held === undefined && wanted?.(chunk.toString('latin1')) === true) {
        heldBack.push((held = []))
        if (isOnce) wanted = undefined
      }
      if (held === undefined) onward.write(chunk)
      else held.push(chunk)
    })
    onward.pipe(socket)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      wanted = () => true
      isOnce = false
    },
    open: () => {
      wanted = undefined
    },
    holdNext: (text) => {
      wanted = (head) => head.includes(text)
      isOnce = true
    },
    deliver: async () => {
      const requests = heldBack.splice(0)
      await Promise.all(requests.map((chunks) => send(target, Buffer.concat(chunks))))
      return requests.length
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    }
  }
}

async function send(target: { readonly host: string; readonly port: number }, bytes: Buffer): Promise<void> {
  const socket = connect(target)
  socket.write(bytes)
  await once(socket, 'data')
  socket.destroy()
}
