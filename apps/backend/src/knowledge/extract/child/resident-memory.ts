import { readFileSync } from 'node:fs'

/**
 * Resident memory of a process in MiB, as the kernel counts it. Nothing where the process is gone or where there is
 * no /proc: there only the heap limit holds.
 */
export function residentMemoryMiB(pid: number): number | undefined {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return undefined
  }
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
}
