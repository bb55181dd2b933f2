import { loadE5Tokenizer, type E5Tokenizer, type TextRole } from '../tokenizer/e5-tokenizer.ts'
import { TOKEN_WIDTH } from '../token-vectors/late-format.ts'
import { TokenVectors } from '../token-vectors/token-geometry.ts'
import { composeVector } from './composite.ts'
import { E5Model } from './e5-model.ts'
import { textLanguage } from './text-language.ts'
import { UseModel } from './use-model.ts'

export interface EncoderSetup {
  readonly weightsFolder: string
  readonly tokenVectors: boolean
}

export interface EncodedText {
  readonly vector: Float32Array<ArrayBuffer>
  readonly tokenCount: number
  /** Stored form of a passage's token vectors. */
  readonly passageTokens?: Uint8Array<ArrayBuffer>
  /** Float32 token vectors of a query. */
  readonly queryTokens?: Float32Array<ArrayBuffer>
}

/** Both models on one text after the other. */
export class EncoderPair {
  readonly #tokenizer: E5Tokenizer
  readonly #e5: E5Model
  readonly #use: UseModel
  readonly #tokens: TokenVectors | undefined

  private constructor(tokenizer: E5Tokenizer, e5: E5Model, use: UseModel, tokens: TokenVectors | undefined) {
    this.#tokenizer = tokenizer
    this.#e5 = e5
    this.#use = use
    this.#tokens = tokens
  }

  /** @throws PortError corrupt */
  static async load({ weightsFolder, tokenVectors }: EncoderSetup): Promise<EncoderPair> {
    return new EncoderPair(
      loadE5Tokenizer(weightsFolder),
      await E5Model.load(weightsFolder),
      await UseModel.load(weightsFolder),
      tokenVectors ? await TokenVectors.load(weightsFolder) : undefined
    )
  }

  async encode(text: string, role: TextRole): Promise<EncodedText> {
    const input = this.#tokenizer.encode(text, role)
    const side = { role, language: textLanguage(input.text) }
    const e5 = await this.#e5.run(input.ids, side, this.#tokens !== undefined)
    const vector = composeVector(e5.vector, await this.#use.run(input.text))
    const encoded = { vector, tokenCount: input.tokenCount }
    if (this.#tokens === undefined || e5.hidden === undefined) return encoded
    // Without the marks and the prefix, which every text has.
    const hidden = e5.hidden.subarray(input.textFrom * TOKEN_WIDTH, (input.ids.length - 1) * TOKEN_WIDTH)
    return role === 'query'
      ? { ...encoded, queryTokens: await this.#tokens.ofQuery(hidden, side) }
      : { ...encoded, passageTokens: await this.#tokens.ofPassage(hidden, side) }
  }

  async release(): Promise<void> {
    await this.#e5.release()
    await this.#use.release()
    await this.#tokens?.release()
  }
}
