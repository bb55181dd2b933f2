import { settingsSchema } from './settings-schema.ts'

/** "chunking" → its keys, of every section. */
export const settingNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(settingsSchema.parse({})).map(([section, keys]) => [section, Object.keys(keys)])
)

/** vectorStore, engine → KB_VECTOR_STORE__ENGINE */
export function environmentName(section: string, key: string): string {
  return `KB_${upperSnake(section)}__${upperSnake(key)}`
}

/** VECTOR_STORE → vectorStore */
export function camelCase(upper: string): string {
  return upper.toLowerCase().replaceAll(/_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase())
}

export function upperSnake(camel: string): string {
  return camel.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}
