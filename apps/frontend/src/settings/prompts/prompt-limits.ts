import { newPromptSchema, promptNameSchema } from '@oncall-agent/api-contracts'
import type { PromptText } from './prompt-place.ts'

/** Characters of a text, of a description and of a name, as the server takes them. */
export const CONTENT_LIMIT = 64_000
export const DESCRIPTION_LIMIT = 500
export const NAME_LIMIT = 64

/** Whether the server will take a name: the same rule, told while it is typed. */
export const isGoodName = (name: string): boolean => promptNameSchema.safeParse(name).success

/** Whether the server will take a text, by its own rule. */
export const isGoodText = ({ description, content }: PromptText): boolean =>
  newPromptSchema.safeParse({ name: 'name', description, content }).success
