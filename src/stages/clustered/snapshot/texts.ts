import type { RecentTexts, RememberedText, Texts } from '../texts.ts'
import { rememberText } from '../texts.ts'
import {
  chunksOf,
  joinedSection,
  jsonSection,
  readJson,
  type Section,
  type WrittenSections,
} from '../../../state/sections.ts'

/** A text without its arrays, and the number of bytes of each of them. */
type TextRow = readonly [
  articleId: string,
  order: number,
  time: number,
  dated: boolean,
  group: string,
  hash: string,
  language: string,
  translates: string | null,
  sampleBytes: number,
  bandsBytes: number,
  outlineBytes: number,
]

const arraysOf = ({ print, outline }: RememberedText) => [print.sample, print.bands, outline.bytes] as const

function rowOf(text: RememberedText): TextRow {
  const { articleId, order, time, dated, group, print, outline, translates } = text
  const [sample, bands, bytes] = arraysOf(text)
  const lengths = [sample.byteLength, bands.byteLength, bytes.byteLength] as const
  return [articleId, order, time, dated, group, print.hash, outline.language, translates, ...lengths]
}

/** In the order in which they arrived, so that they are evicted in it. Their index is built when they are read. */
export function* writeTexts({ byArticle }: Texts): Generator<Section> {
  const texts = [...byArticle.values()].sort((a, b) => a.order - b.order)
  yield jsonSection(texts.length)
  for (const chunk of chunksOf(texts)) {
    yield jsonSection(chunk.map(rowOf))
    yield joinedSection(chunk.flatMap(arraysOf))
  }
}

export async function readTexts(
  sections: WrittenSections,
  { recent, namespace, texts }: { readonly recent: RecentTexts; readonly namespace: string; readonly texts: Texts },
): Promise<void> {
  const home = { namespace, texts, budget: Infinity }
  let left = await readJson<number>(sections)
  while (left > 0) {
    const rows = await readJson<readonly TextRow[]>(sections)
    const bytes = await sections.next()
    let at = 0
    // copied: a part would keep all of them in memory
    const take = (length: number): Uint8Array => new Uint8Array(bytes.slice(at, (at += length)))
    for (const row of rows) {
      const text = textOf(row, take)
      rememberText(recent, home, { order: text.order, read: () => text })
    }
    left -= rows.length
  }
}

function textOf(row: TextRow, take: (length: number) => Uint8Array): RememberedText {
  const [articleId, order, time, dated, group, hash, language, translates, ...lengths] = row
  const [sample, bands, outline] = lengths
  return {
    ...{ articleId, order, time, dated, group, translates },
    print: { hash, sample: new Uint16Array(take(sample).buffer), bands: new Int32Array(take(bands).buffer) },
    outline: { language, bytes: take(outline) },
  }
}
