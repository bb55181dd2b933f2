import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { MESSAGE_BYTES } from './bounds.ts'

/** Characters of standard error that are kept: the last ones, which say why a program ended. */
const LAST_WORDS = 8_192
/** Milliseconds that a program has to end by itself once nobody speaks to it, and again once it is asked to. */
const GRACE_MS = 2_000

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** All that it sees of an environment. */
  readonly env: Readonly<Record<string, string>>
  /** Folder that it runs in. */
  readonly cwd: string
}

export interface ProgramTransport extends Transport {
  /** How its standard error ends. */
  lastWords(): string
}

/**
 * Speaks to a program over its standard input and output. No shell reads the command. The program leads a process group
 * of its own, so that what it has started ends with it; when this process is killed, the end of its input tells it.
 */
export function programTransport({ command, args, env, cwd }: Program): ProgramTransport {
  const buffer = new ReadBuffer({ maxBufferSize: MESSAGE_BYTES })
  let child: ChildProcessWithoutNullStreams | undefined
  let words = ''
  let write: ((line: string) => Promise<void>) | undefined
  const transport: ProgramTransport = {
    lastWords: () => words,
    start: async () => {
      const started = spawn(command, [...args], { env: { ...env }, cwd, shell: false, detached: true, stdio: 'pipe' })
      child = started
      write = bounded(started.stdin, () => void transport.close())
      started.stderr.setEncoding('utf8').on('data', (said: string) => {
        words = (words + said).slice(-LAST_WORDS)
      })
      started.stdout.on('data', (chunk: Buffer) => read(chunk))
      // A program that is gone has closed its input; that it is gone is told by its end.
      for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on('error', fail)
      started.on('exit', () => signalGroup(started, 'SIGKILL'))
      started.on('close', () => transport.onclose?.())
      await once(started, 'spawn')
      started.on('error', fail)
    },
    send: async (message) => {
      if (write === undefined || child === undefined) throw new Error('the program takes nothing more')
      await write(serializeMessage(message))
    },
    close: async () => {
      const started = child
      child = undefined
      if (started !== undefined) await end(started)
      buffer.clear()
    }
  }

  function fail(error: Error): void {
    transport.onerror?.(error)
  }

  /** A message without an end is no reason to fill this process's memory: the program is ended. */
  function read(chunk: Buffer): void {
    if (child === undefined) return
    try {
      buffer.append(chunk)
    } catch (cause) {
      fail(cause as Error)
      void transport.close()
      return
    }
    while (true) {
      // Closed in between, for its faults: what else it has written is not even read.
      if (child === undefined) return
      try {
        const message = buffer.readMessage()
        if (message === null) return
        transport.onmessage?.(message)
      } catch (cause) {
        // A line that is no message: some programs write other things to their output, too.
        fail(cause as Error)
      }
    }
  }
  return transport
}

/** A program that asks and asks, and reads none of our answers, would have them all kept here: it is given up. */
function bounded(stdin: Writable, onFull: () => void): (line: string) => Promise<void> {
  let room: Promise<void> | undefined
  return async (line) => {
    if (!stdin.writable) throw new Error('the program takes nothing more')
    if (stdin.writableLength > MESSAGE_BYTES) {
      onFull()
      throw new Error(`the program leaves more than ${MESSAGE_BYTES} bytes unread`)
    }
    if (stdin.write(line)) return
    room ??= roomIn(stdin).finally(() => {
      room = undefined
    })
    await room
  }
}

/** Resolves when there is room for more, or never will be. */
async function roomIn(stdin: Writable): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    await Promise.race([once(stdin, 'drain', { signal }), once(stdin, 'close', { signal })])
  } finally {
    waiting.abort()
  }
}

/** Ends its input, then asks, then forces; resolves when it is gone. */
async function end(program: ChildProcessWithoutNullStreams): Promise<void> {
  if (program.pid === undefined || hasEnded(program)) return
  const ended = once(program, 'close')
  program.stdin.end()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const waiting = new AbortController()
    await Promise.race([ended, delay(GRACE_MS, undefined, { signal: waiting.signal }).catch(() => undefined)])
    waiting.abort()
    if (hasEnded(program)) break
    signalGroup(program, signal)
  }
  await ended
}

function hasEnded({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean {
  return exitCode !== null || signalCode !== null
}

function signalGroup({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (cause) {
    // Nobody of the group is left, which is what was wanted.
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause
  }
}
