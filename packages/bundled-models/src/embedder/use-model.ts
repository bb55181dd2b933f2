import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { openSession } from '../threads/open-session.ts'
import { loadUseTokenizer, type UseTokenizer } from '../tokenizer/use-tokenizer.ts'
import { USE_WIDTH } from './composite.ts'
import { UseTable } from './use-table.ts'

/** The multilingual Universal Sentence Encoder v3: table look-up here, n-gram CNN and dense layers as an ONNX graph. */
export class UseModel {
  readonly #session: InferenceSession
  readonly #tokenizer: UseTokenizer
  readonly #table: UseTable

  private constructor(session: InferenceSession, tokenizer: UseTokenizer, table: UseTable) {
    this.#session = session
    this.#tokenizer = tokenizer
    this.#table = table
  }

  /** @throws PortError corrupt */
  static async load(folder: string): Promise<UseModel> {
    const session = await openSession(folder, 'use-encoder.onnx')
    return new UseModel(session, loadUseTokenizer(folder), new UseTable(folder))
  }

  /** @param normalised by `normaliseText`. @returns 512 numbers of norm 1 */
  async run(normalised: string): Promise<Float32Array> {
    const ids = this.#tokenizer.encode(normalised)
    const embeddings = new Tensor('float32', this.#table.lookUp(ids), [ids.length, USE_WIDTH])
    const outputs = await this.#session.run({ token_embeddings: embeddings })
    return outputs['sentence_embedding']!.data as Float32Array
  }

  release(): Promise<void> {
    return this.#session.release()
  }
}
