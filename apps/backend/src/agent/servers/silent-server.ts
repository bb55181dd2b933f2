/** Why a program is not there, with what it said last. */
export class SilentServer extends Error {
  override readonly name = 'SilentServer'
  readonly lastWords: string

  constructor(cause: unknown, lastWords: string) {
    super('the server did not introduce itself', { cause })
    this.lastWords = lastWords
  }
}
