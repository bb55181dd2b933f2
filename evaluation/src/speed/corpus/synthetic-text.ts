import { seededRandom } from '../../random/seeded-random.ts'
import { ZipfSampler } from './zipf-sampler.ts'

/** Distinct English words, Chinese words and error codes: about what 100,000 chunks of real runbooks hold. */
const englishWords = 50_000
const chineseWords = 20_000
const errorCodes = 5000
const zipfExponent = 1
/** English words and Chinese words (of two characters) of one chunk: about 300 tokens of the bundled embedder. */
const englishPerChunk = 112
const chinesePerChunk = 53
/** Steps between the seeds of neighbouring texts; odd and large, so that their sequences have nothing in common. */
const seedStride = 2_654_435_761

const onsets = 'b c d f g h k l m n p r s t v z br st tr pl'.split(' ')
const vowels = 'a e i o u ai or en um al'.split(' ')
/** First of the 3,000 Han characters that words are made of. */
const firstHan = 0x4e00
const hanCharacters = 3000

/** Texts that depend only on seed and number: any one can be made again without the others. */
export class SyntheticText {
  readonly #seed: number
  readonly #english = new ZipfSampler(englishWords, zipfExponent)
  readonly #chinese = new ZipfSampler(chineseWords, zipfExponent)
  readonly #codes = new ZipfSampler(errorCodes, zipfExponent)

  constructor(seed: number) {
    this.#seed = seed
  }

  /** A bilingual chunk: English sentences, Chinese sentences, one error code. */
  chunk(number: number): string {
    const random = seededRandom(this.#seed + number * seedStride)
    const english = this.#sentences(englishPerChunk, ' ', '. ', () => englishWord(this.#english.rank(random())))
    const chinese = this.#sentences(chinesePerChunk, '', '。', () => chineseWord(this.#chinese.rank(random())))
    const code = errorCode(this.#codes.rank(random()))
    return number % 2 === 0 ? `${english}\n${code}\n${chinese}` : `${chinese}\n${code}\n${english}`
  }

  /** Words as a person types them: `words` drawn from the same spread, the languages in turn. */
  query(number: number, words: number): string {
    const random = seededRandom(this.#seed - (number + 1) * seedStride)
    return Array.from({ length: words }, (_, index) => this.#queryWord(index + number, random)).join(' ')
  }

  #queryWord(index: number, random: () => number): string {
    // Chinese words of two characters give three tokens; single words keep "a query of n tokens" exact.
    return index % 6 === 5 ? errorCode(this.#codes.rank(random())) : englishWord(this.#english.rank(random()))
  }

  #sentences(words: number, between: string, end: string, word: () => string): string {
    const wordsPerSentence = 12
    let text = ''
    for (let count = 0; count < words; count++) {
      text += word() + (count % wordsPerSentence === wordsPerSentence - 1 ? end : between)
    }
    return text.trimEnd()
  }
}

/** Syllables that spell the rank: distinct for distinct ranks, short for common words. */
export function englishWord(rank: number): string {
  const syllables = onsets.length * vowels.length
  let rest = rank
  let word = ''
  do {
    const syllable = rest % syllables
    word += onsets[Math.floor(syllable / vowels.length)]! + vowels[syllable % vowels.length]!
    rest = Math.floor(rest / syllables) - 1
  } while (rest >= 0)
  return word
}

function chineseWord(rank: number): string {
  const first = (rank * 7919) % hanCharacters
  const second = (rank * 104_729 + Math.floor(rank / hanCharacters)) % hanCharacters
  return String.fromCharCode(firstHan + first, firstHan + second)
}

function errorCode(rank: number): string {
  return `ERR_${englishWord(rank % 97).toUpperCase()}_${1000 + rank}`
}
