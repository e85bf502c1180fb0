import { arraysIn, sharedName } from '../records.ts'
import { rememberText, type RecentTexts, type RememberedText, type Texts } from '../texts.ts'
import {
  chunksOf,
  joinedSection,
  jsonSection,
  readJson,
  type StateSection,
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
  bandsBytes: number,
  sampleBytes: number,
  outlineBytes: number,
]

const arraysOf = ({ print, outline }: RememberedText) => [print.bands, print.sample, outline.bytes] as const

function rowOf(text: RememberedText): TextRow {
  const { articleId, order, time, dated, group, print, outline, translates } = text
  const [bands, sample, bytes] = arraysOf(text)
  const lengths = [bands.byteLength, sample.byteLength, bytes.byteLength] as const
  return [articleId, order, time, dated, group, print.hash, outline.language, translates, ...lengths]
}

/** In the order in which they arrived, so that they are evicted in it. Their index is built when they are read. */
export function* writeTexts({ byArticle }: Texts): Generator<StateSection> {
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
    for (const row of rows) {
      const length = row[8] + row[9] + row[10]
      const text = textOf(row, Uint8Array.from(new Uint8Array(bytes, at, length)).buffer)
      at += length
      rememberText(recent, home, { order: text.order, read: () => text })
    }
    left -= rows.length
  }
}

/** `block`: the bands, the sample and the outline. */
function textOf(row: TextRow, block: ArrayBuffer): RememberedText {
  const [articleId, order, time, dated, group, hash, language, translates, ...lengths] = row
  const { bands, sample, outline } = arraysIn(block, lengths[0], lengths[1])
  return {
    ...{ articleId, order, time, dated, group, translates },
    print: { hash, sample, bands },
    outline: { language: sharedName(language), bytes: outline },
  }
}
