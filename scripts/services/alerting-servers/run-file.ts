import { join, resolve } from 'node:path'

/** One server as start.ts writes it down for stop.ts. */
export interface StartedServer {
  readonly name: string
  readonly pid: number
  readonly url: string
}

export function runFileOf(folder: string): string {
  return join(resolve(folder), 'running.json')
}
