import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { loadMeans, type Means } from '../embedder/means.ts'
import type { E5Side } from '../embedder/e5-model.ts'
import { openSession } from '../threads/open-session.ts'
import { readJsonWeight } from '../weights/weight-files.ts'
import { encodeLateVectors } from './encode-late.ts'
import { TOKEN_WIDTH } from './late-format.ts'

/** From E5's hidden states to token vectors: taken to norm 1, centred by language, to norm 1 again, rotated. */
export class TokenVectors {
  readonly #session: InferenceSession
  readonly #means: Means
  readonly #deviation: Float32Array

  private constructor(session: InferenceSession, means: Means, deviation: Float32Array) {
    this.#session = session
    this.#means = means
    this.#deviation = deviation
  }

  /** @throws PortError corrupt */
  static async load(folder: string): Promise<TokenVectors> {
    const session = await openSession(folder, 'token-geometry.onnx')
    return new TokenVectors(session, loadMeans(folder, 'token-means.json'), loadDeviation(folder))
  }

  /** Row-major tokens × 384 float32. */
  async ofQuery(hidden: Float32Array, side: E5Side): Promise<Float32Array<ArrayBuffer>> {
    if (hidden.length === 0) return new Float32Array()
    const outputs = await this.#run(hidden, side, ['vectors'])
    // A copy: the tensor's memory may belong to the runtime.
    return new Float32Array(outputs['vectors']!.data as Float32Array)
  }

  /** The stored form of `late-format.ts`. */
  async ofPassage(hidden: Float32Array, side: E5Side): Promise<Uint8Array<ArrayBuffer>> {
    const count = hidden.length / TOKEN_WIDTH
    if (count === 0) return encodeLateVectors({ count, vectors: hidden, gram: hidden }, this.#deviation)
    const outputs = await this.#run(hidden, side, ['vectors', 'gram'])
    const vectors = outputs['vectors']!.data as Float32Array
    const gram = outputs['gram']!.data as Float32Array
    return encodeLateVectors({ count, vectors, gram }, this.#deviation)
  }

  release(): Promise<void> {
    return this.#session.release()
  }

  #run(hidden: Float32Array, side: E5Side, outputs: readonly string[]): Promise<InferenceSession.ReturnType> {
    const feeds = {
      hidden: new Tensor('float32', hidden, [hidden.length / TOKEN_WIDTH, TOKEN_WIDTH]),
      mean: new Tensor('float32', this.#means.of(side.role, side.language), [TOKEN_WIDTH])
    }
    return this.#session.run(feeds, outputs)
  }
}

/** Standard deviation of each rotated dimension around a chunk's mean. @throws PortError corrupt */
export function loadDeviation(folder: string): Float32Array {
  return Float32Array.from(readJsonWeight<{ readonly sd: readonly number[] }>(folder, 'residual-deviation.json').sd)
}
