import { paddedBaseline } from '../adapters/onnx/padded-baseline.ts'
import { loadTokenizer, placedPieces } from '../adapters/onnx/vocabulary.ts'
import { fetchFp32Model, fetchModel } from '../engines/fetch.ts'
import type { ArticleIngested } from '../events/articles.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { BenchSetting } from './part.ts'

/** The service's own way of counting word pieces, and the usual way of encoding them, to compare with. */
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

/** The mean of the articles, their titles included. */
export async function piecesAnArticle({ wiring: { config, out }, articles }: BenchSetting): Promise<number> {
  const { tokenizer } = await fetchModel(config.cache, (line) => out.progress(line))
  const words = await loadTokenizer(tokenizer)
  const counts = articles.map(
    ({ title, text }) => words.encode(`${title ?? ''} ${text}`, { add_special_tokens: false }).ids.length,
  )
  return counts.reduce((total, count) => total + count, 0) / articles.length
}

/** How long the texts are to be, in word pieces. */
interface Size {
  /** Of each text, given the title that comes with it. */
  readonly pieces: (title: string) => number
  /** Where each word piece of a text ends, in characters. */
  readonly pieceEnds: (text: string) => readonly number[]
}

/** Each text cut to size; one that is too short is lengthened by those after it. */
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
