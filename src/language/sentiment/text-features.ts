/** Buckets that words and pairs are hashed into. */
export const TEXT_BUCKETS = 1 << 13

/** Of a longer sentence only this many words count. */
const WORDS = 120
const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?|[!?]/gu

export interface TextFeature {
  readonly bucket: number
  readonly value: number
}

function bucketOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) & (TEXT_BUCKETS - 1)
}

/** Words and pairs of neighbours in lower case, each once, together of length 1. */
export function textFeatures(sentence: string): readonly TextFeature[] {
  const words: string[] = []
  for (const [word] of sentence.matchAll(WORD)) {
    if (words.length === WORDS) break
    words.push(word.toLowerCase().replace('’', "'"))
  }
  const pairs = words.slice(1).map((word, i) => `${words[i] ?? ''} ${word}`)
  const buckets = new Set([...words, ...pairs].map(bucketOf))
  const value = buckets.size === 0 ? 0 : 1 / Math.sqrt(buckets.size)
  return [...buckets].map((bucket) => ({ bucket, value }))
}
