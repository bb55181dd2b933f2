import type { ReadinessPart } from '@oncall-agent/api-contracts'
import { withinLimit } from './within-limit.ts'

/** A part that answers later than this counts as not ready; a probe must never hang a health check. */
const PROBE_LIMIT_MS = 2_000

export interface Probe {
  readonly name: string
  /** Said when it works; may depend on what was found. */
  readonly check: () => Promise<string>
  /** Fixed and safe, said when it does not. */
  readonly unavailable: string
}

/** Asks every part at once; each answers within its limit. */
export function probeAll(
  probes: readonly Probe[],
  onUnavailable: (name: string, cause: unknown) => void
): Promise<readonly ReadinessPart[]> {
  return Promise.all(probes.map((probe) => probeOne(probe, onUnavailable)))
}

async function probeOne(
  { name, check, unavailable }: Probe,
  onUnavailable: (name: string, cause: unknown) => void
): Promise<ReadinessPart> {
  const started = performance.now()
  const part = await withinLimit(check(), PROBE_LIMIT_MS).then(
    (message) => ({ ok: true, message }),
    (cause: unknown) => {
      // The answer has only the fixed sentence; the cause is for whoever reads the log.
      onUnavailable(name, cause)
      return { ok: false, message: unavailable }
    }
  )
  return { name, ...part, latencyMs: Math.round(performance.now() - started) }
}
