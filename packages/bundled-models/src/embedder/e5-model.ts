import { Tensor, type InferenceSession } from 'onnxruntime-node'
import type { TextRole } from '../tokenizer/e5-tokenizer.ts'
import { openSession } from '../threads/open-session.ts'
import { E5_WIDTH, normalise } from './composite.ts'
import { loadMeans, type Means } from './means.ts'
import type { TextLanguage } from './text-language.ts'

const POOLED = 'sentence_embedding'
const HIDDEN = 'last_hidden_state'

export interface E5Output {
  /** 384 numbers, centred, norm 1. */
  readonly vector: Float32Array
  /** Row-major tokens × 384, as the model gives them; absent unless asked for. */
  readonly hidden?: Float32Array
}

/** multilingual-e5-small, int8. */
export class E5Model {
  readonly #session: InferenceSession
  readonly #means: Means

  private constructor(session: InferenceSession, means: Means) {
    this.#session = session
    this.#means = means
  }

  /** @throws PortError corrupt */
  static async load(folder: string): Promise<E5Model> {
    return new E5Model(await openSession(folder, 'e5-int8.onnx'), loadMeans(folder, 'language-means.json'))
  }

  /**
   * One text a run, never padded: int8 activations take their range from the whole batch, so a text's vector would
   * depend on the company it is in. A batch gains nothing on a CPU at these lengths anyway.
   */
  async run(ids: readonly number[], side: E5Side, withHidden: boolean): Promise<E5Output> {
    const shape = [1, ids.length]
    const feeds = {
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape)
    }
    const outputs = await this.#session.run(feeds, withHidden ? [POOLED, HIDDEN] : [POOLED])
    const mean = this.#means.of(side.role, side.language)
    const pooled = outputs[POOLED]!.data as Float32Array
    const centred = new Float32Array(E5_WIDTH)
    for (let i = 0; i < E5_WIDTH; i++) centred[i] = pooled[i]! - mean[i]!
    const vector = normalise(centred)
    return withHidden ? { vector, hidden: outputs[HIDDEN]!.data as Float32Array } : { vector }
  }

  release(): Promise<void> {
    return this.#session.release()
  }
}

/** Which mean is taken away. */
export interface E5Side {
  readonly role: TextRole
  readonly language: TextLanguage
}
