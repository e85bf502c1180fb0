import { paddedBaseline } from '../adapters/onnx/padded-baseline.ts'
import { loadTokenizer, placedPieces } from '../adapters/onnx/vocabulary.ts'
import { fetchFp32Model, fetchModel } from '../engines/fetch.ts'
import type { ArticleIngested } from '../events/articles.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { BenchSetting } from './part.ts'

/** Counts word pieces as the service does, and encodes them in the usual way as a baseline. */
export async function piecesAndBaseline({ config, out }: Wiring) {
  const onProgress = (line: string): void => out.progress(line)
  const model = await fetchModel(config.cache, onProgress)
  const tokenizer = await loadTokenizer(model.tokenizer)
  const placed = placedPieces((text) => tokenizer.encode(text, { add_special_tokens: false }).ids)
  return {
    pieceEnds: (text: string): readonly number[] => placed(text).ends,
    baseline: await paddedBaseline(await fetchFp32Model(config.cache, onProgress), model.tokenizer),
  }
}

/** The mean number of word pieces per article, including the title. */
export async function piecesAnArticle({
  wiring: { config, out },
  articles,
}: Pick<BenchSetting, 'wiring' | 'articles'>): Promise<number> {
  const { tokenizer } = await fetchModel(config.cache, (line) => out.progress(line))
  const words = await loadTokenizer(tokenizer)
  const counts = articles.map(
    ({ title, text }) => words.encode(`${title ?? ''} ${text}`, { add_special_tokens: false }).ids.length,
  )
  return counts.reduce((total, count) => total + count, 0) / articles.length
}

/** The length of texts, in word pieces. */
interface Size {
  /** The length of a text, given its title. */
  readonly pieces: (title: string) => number
  /** The end of each word piece of a text, in characters. */
  readonly pieceEnds: (text: string) => readonly number[]
}

/** Cuts each text to size. A text that is too short is extended by the following ones. */
export function ofSize<Article extends Pick<ArticleIngested, 'title' | 'text'>>(
  given: readonly Article[],
  { pieces, pieceEnds }: Size,
): readonly Article[] {
  const made: Article[] = []
  let [text, first] = ['', 0]
  for (const [i, article] of given.entries()) {
    text = `${text}\n\n${article.text}`.trim()
    const opening = given[first] ?? article
    const end = pieceEnds(text)[pieces(opening.title ?? '') - 1]
    if (end === undefined) continue
    made.push({ ...opening, text: text.slice(0, end) })
    text = ''
    first = i + 1
  }
  if (made.length === 0) throw new Error('The texts together are shorter than one article is to be')
  return made
}
