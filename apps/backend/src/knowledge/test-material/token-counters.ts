/** Token counters as a child process loads them, well and badly behaved. */
export function countWords(): (text: string) => number {
  return (text) => text.split(/\s+/).length
}

export async function countEach(): Promise<(text: string) => number> {
  return (text) => text.length
}

/** Works for ever on a text with the word. */
export function hangOnDemand(): (text: string) => number {
  return (text) => {
    while (text.includes('HANG'));
    return text.length
  }
}

/** Takes memory outside the heap, and then the heap, without end on a text with the word. */
export function swellOnDemand(): (text: string) => number {
  const kept: unknown[] = []
  return (text) => {
    while (text.includes('BUFFERS')) kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
    while (text.includes('OBJECTS')) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
    return text.length
  }
}

/** Does what a document reader has no business doing. */
export async function overreach(): Promise<(text: string) => number> {
  const { writeFileSync } = await import('node:fs')
  const { execFileSync } = await import('node:child_process')
  const attempts: Record<string, () => unknown> = {
    WRITE: () => writeFileSync('/tmp/oncall-agent-overreach', 'x'),
    SPAWN: () => execFileSync('/bin/true')
  }
  return (text) => {
    for (const [word, attempt] of Object.entries(attempts)) if (text.includes(word)) attempt()
    return text.length
  }
}

export const notAFunction = 1
