/** One numbered step of the schema. Landed steps are never edited; a change is a further step. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}
