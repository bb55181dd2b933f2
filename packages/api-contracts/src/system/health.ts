import { z } from 'zod'

/** The process lives; nothing was touched to say so. */
export const healthSchema = z.object({ status: z.literal('ok'), version: z.string() }).readonly()

export const readinessPartSchema = z
  .object({
    /** What it is: "business store", "knowledge index", "embedder". */
    name: z.string(),
    ok: z.boolean(),
    latencyMs: z.number().min(0),
    /** Fixed and safe: "The knowledge index is unavailable."; never an engine's words. */
    message: z.string()
  })
  .readonly()

/** Whether every part that an answer needs is there; with 503 when one is not. */
export const readinessSchema = z
  .object({ ready: z.boolean(), version: z.string(), parts: z.array(readinessPartSchema).readonly() })
  .readonly()

export type Health = z.output<typeof healthSchema>
export type ReadinessPart = z.output<typeof readinessPartSchema>
export type Readiness = z.output<typeof readinessSchema>
