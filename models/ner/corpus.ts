import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { cleanSpan } from '../../src/language/recogniser/clean.ts'
import { spansOfTags, TAGS, tagsOfSpans } from '../../src/language/recogniser/tags.ts'
import { words } from '../../src/language/recogniser/words.ts'

export interface LabelledWords {
  readonly words: readonly string[]
  /** Indexes into `TAGS`, one a word. */
  readonly tags: readonly number[]
}

/**
 * A labelled file, its tokens split as the service splits words and its labels cleaned by the same rules; tokens that
 * `isRead` refuses are left out.
 */
export function readLabelled(path: string, isRead: (token: string) => boolean = () => true): LabelledWords[] {
  const sentences = gunzipSync(readFileSync(path))
    .toString('utf8')
    .split(/\n\s*\n/)
  return sentences.map((block) => labelled(block, isRead)).filter((sentence) => sentence.words.length > 0)
}

function labelled(block: string, isRead: (token: string) => boolean): LabelledWords {
  const texts: string[] = []
  const raw: number[] = []
  for (const line of block.split('\n')) {
    const [token = '', label = 'O'] = line.split('\t')
    if (!isRead(token)) continue
    const handle = /^@\w/.test(token) // an account is not a name in the news
    const tag = handle ? 0 : Math.max(0, TAGS.indexOf(label.trim()))
    words(token, 0, token.length).texts.forEach((word, i) => {
      texts.push(word)
      raw.push(i > 0 && tag % 2 === 1 ? tag + 1 : tag)
    })
  }
  const spans = spansOfTags(raw).flatMap((span) => cleanSpan(texts, span) ?? [])
  return { words: texts, tags: tagsOfSpans(spans, texts.length) }
}
