import { RemoteFailure } from '../call/remote-failure.ts'
import { type OutgoingText, shorter } from './outgoing-text.ts'

/** A text as the server took it in the end, with its vector. */
export interface EmbeddedText {
  readonly sent: OutgoingText
  readonly vector: Float32Array
}

/** One request; gives a vector for each text, in order. */
export type EmbedTexts = (texts: readonly OutgoingText[]) => Promise<readonly Float32Array[]>

/** What is left of a text that is too long, from try to try: seldom is more than a little too much. */
const LEFT_SHARE = 0.7
/** Tries of one text; the last one sends 3 % of it, which only a wrong `maxTokens` makes necessary. */
const MOST_CUTS = 10

/**
 * Embeds a batch also where the server finds a text of it too long. It does not say which one, so the batch is halved
 * until that text is alone, and only that one is cut. What comes back for a text depends on no other text.
 * @throws RemoteFailure `too-long` for a text that cannot be cut to fit; whatever `embed` throws
 */
export async function embedFitting(
  texts: readonly OutgoingText[],
  embed: EmbedTexts
): Promise<readonly EmbeddedText[]> {
  try {
    const vectors = await embed(texts)
    return texts.map((sent, i) => ({ sent, vector: vectors[i]! }))
  } catch (thrown) {
    if (!isTooLong(thrown)) throw thrown
    if (texts.length === 1) return [await embedCut(texts[0]!, embed, thrown)]
    const middle = Math.ceil(texts.length / 2)
    const first = await embedFitting(texts.slice(0, middle), embed)
    return [...first, ...(await embedFitting(texts.slice(middle), embed))]
  }
}

async function embedCut(text: OutgoingText, embed: EmbedTexts, refusal: RemoteFailure): Promise<EmbeddedText> {
  let sent: OutgoingText | undefined = text
  let last = refusal
  for (let cuts = 0; cuts < MOST_CUTS; cuts += 1) {
    sent = shorter(sent, LEFT_SHARE)
    if (sent === undefined) break
    try {
      const [vector] = await embed([sent])
      return { sent, vector: vector! }
    } catch (thrown) {
      if (!isTooLong(thrown)) throw thrown
      last = thrown
    }
  }
  throw last
}

function isTooLong(thrown: unknown): thrown is RemoteFailure {
  return thrown instanceof RemoteFailure && thrown.kind === 'too-long'
}
