import { join, resolve } from 'node:path'

/** What start.ts writes down of the nodes that it started in a folder, for stop.ts. */
export function runFileOf(folder: string): string {
  return join(resolve(folder), 'running.json')
}
