import type { Scene } from './scene.ts'

/** One talk between a person before the page and the agent, with its words in both languages. */
export interface Dialogue {
  readonly name: string
  play(scene: Scene): Promise<void>
}
