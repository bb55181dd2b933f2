import { z } from 'zod'

export const modelPartSchema = z.enum(['chat', 'embedding', 'rerank'])

const modelSettingsSchema = z
  .object({
    part: modelPartSchema,
    configured: z.boolean(),
    /** `bundled`, `openai`, `dashscope`, `jina`; `none` for a chat model that is not configured. */
    provider: z.string(),
    model: z.string(),
    /** Origin only: a path may hold a key. Empty for what runs here. */
    origin: z.string(),
    hasKey: z.boolean(),
    /** What to set to change it, with an example of each: `KB_CHAT__BASE_URL`. */
    settings: z.array(z.object({ name: z.string(), variable: z.string(), example: z.string() }).readonly()).readonly()
  })
  .readonly()

/** Which models answer here, without any secret. */
export const modelsSchema = z.object({ models: z.array(modelSettingsSchema).readonly() }).readonly()

export const modelTestSchema = z.strictObject({ part: modelPartSchema }).readonly()

/** One real call. `message` is fixed and safe, and says what to look at. */
export const modelTestResultSchema = z
  .object({ part: modelPartSchema, ok: z.boolean(), tookMs: z.number().min(0), message: z.string() })
  .readonly()

export type ModelPart = z.output<typeof modelPartSchema>
export type Models = z.output<typeof modelsSchema>
export type ModelTest = z.output<typeof modelTestSchema>
export type ModelTestResult = z.output<typeof modelTestResultSchema>
