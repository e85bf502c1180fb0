import type { Origin } from '../events/ledger.ts'
import { canonicalUrl } from '../events/canonical-url.ts'
import { articleId, contentHash } from '../events/ids.ts'
import { bodyOf, semanticHash } from '../language/body-text.ts'
import { EDIT_NAMES, EDITS, type EditName } from './reprint-edits.ts'
import { sample, seeded } from './seeded-random.ts'
import { ratio } from '../domain/quality/b-cubed.ts'
import type { Figure } from '../domain/quality/figures.ts'
import { asJsonLines } from './labelled-file.ts'
import { labelledArticles, pairsOf, type LabelledArticle } from './labelled-articles.ts'
import { sampledContainment } from '../language/near-duplicates/shingle-sample.ts'
import type { OriginWeights } from '../language/clustering/model.ts'
import { newcomer, origin } from '../stages/clustered/origin.ts'
import { addText, noTexts } from '../stages/clustered/texts.ts'

/** An article in the form that the search for its origin takes. */
type Text = Parameters<typeof newcomer>[0]

type DuplicatesFigure = Omit<Figure, 'name'>

interface DuplicatesAnswer extends Pick<Origin, 'duplicate_of' | 'derived_from' | 'containment'> {
  readonly id: string
  readonly edit: EditName | null
}

/** The number of articles that are edited, as in the reference measurement. */
const EDITED_ARTICLES = 300
/**
 * The minimum number of words of an edited article: without boilerplate, 30 % of it must still be a text of 60 words.
 */
const MIN_WORDS = 240

/**
 * Adds the articles of a file to the index, then makes reprints of some of them with documented edits and queries the
 * index with each reprint. Recall: the share of reprints for which the original, or another text of its group, is
 * found. Precision: of the reprints that are given an original, the share that was made from it. False pairs: pairs of
 * different articles of one gold story that are classified as one text.
 */
export async function scoreDuplicates(
  file: string,
  { weights, arrival }: { readonly weights: OriginWeights; readonly arrival: number },
) {
  const index = textIndex(weights)
  const articles = await labelledArticles(file)
  const texts = articles.map((article) => asText(article, arrival))
  const ids = new Map(texts.map(({ article_id }, i) => [article_id, articles[i]?.id ?? article_id]))
  const groups = new Map<string, string>()
  const real = texts.flatMap((text): DuplicatesAnswer[] => {
    if (groups.has(text.article_id)) return [] // a revision
    const origin = index.origin(text)
    index.add(text, origin)
    groups.set(text.article_id, origin.syndication_group)
    return origin.duplicate_of === null ? [] : [answer(text.article_id, null, origin)]
  })

  const originals = sample(
    seeded(file.replace(/^.*\//, '')),
    [...new Map(texts.map((text) => [text.article_id, text])).values()].filter(({ text }) => words(text) >= MIN_WORDS),
    EDITED_ARTICLES,
  )
  const isInGroupOf = ({ syndication_group }: Origin, text: Text) => syndication_group === groups.get(text.article_id)
  const pairs = originals.flatMap((original, i) => {
    const foreign = originals[(i + 1) % originals.length] ?? original
    return EDIT_NAMES.map((edit) => {
      const { origin, isHashSame } = ask(index, { original, foreign, edit })
      const isRight = isInGroupOf(origin, original)
      const isCopied = isRight || isInGroupOf(origin, foreign) // some edits add sentences of the foreign text
      return { original, edit, origin, isHashSame, isRight, isCopied }
    })
  })
  return {
    figures: [
      ...recalls(pairs),
      ...falsePairs(articles, texts, index),
      { measure: 'pairs_in_file', value: real.length, n: texts.length },
    ],
    /** The answer for each reprint, and for each article of the file that was classified as a reprint. */
    predictions: asJsonLines(
      [...pairs.map(({ original, edit, origin }) => answer(original.article_id, edit, origin)), ...real].map((one) =>
        named(one, ids),
      ),
    ),
  }
}

interface EditedPair {
  readonly edit: EditName
  readonly origin: Origin
  readonly isHashSame: boolean
  /** It was assigned to the group of its original. */
  readonly isRight: boolean
  /** It was assigned to the group of a text that it was made from. */
  readonly isCopied: boolean
}

/** `foreign` is the text whose sentences some edits add. */
function ask(
  index: TextIndex,
  { original, foreign, edit }: { readonly original: Text; readonly foreign: Text; readonly edit: EditName },
): Pick<EditedPair, 'origin' | 'isHashSame'> {
  const own = bodyOf(original.title, original.text)
  const text = EDITS[edit]({ text: own, foreign: foreign.text, random: seeded(`${original.article_id}\n${edit}`) })
  const title = original.title === null ? null : `${original.title} | Example Times`
  const article_id = articleId(original.namespace, `https://reprints.example/${original.article_id}/${edit}`, text)
  return {
    origin: index.origin({ ...original, article_id, content_hash: contentHash(title, text), title, text }),
    isHashSame: semanticHash(text) === semanticHash(own),
  }
}

function recalls(pairs: readonly EditedPair[]): DuplicatesFigure[] {
  const share = (measure: string, of: readonly EditedPair[], held: (one: EditedPair) => boolean): DuplicatesFigure => ({
    measure,
    value: ratio(of.filter(held).length, of.length),
    n: of.length,
  })
  const by = (edit: EditName) => pairs.filter((one) => one.edit === edit)
  const assigned = pairs.filter(({ origin }) => origin.duplicate_of !== null)
  const isRight = (one: EditedPair): boolean => one.isRight
  return [
    share('hash_recall_byline', by('byline'), ({ isHashSame }) => isHashSame),
    ...EDIT_NAMES.map((edit) => share(`recall_${edit}`, by(edit), isRight)),
    share('recall', pairs, isRight),
    share('precision', assigned, ({ isCopied }) => isCopied),
  ]
}

function falsePairs(
  articles: readonly LabelledArticle[],
  texts: readonly Text[],
  index: TextIndex,
): DuplicatesFigure[] {
  const stories = new Map<string, Text[]>()
  articles.forEach(({ story }, i) => {
    const text = texts[i]
    if (story !== null && text !== undefined) stories.set(story, [...(stories.get(story) ?? []), text])
  })
  // Two revisions of one article are not two articles.
  const compared = (one: Text, other: Text): number | null =>
    one.article_id === other.article_id ? null : index.compare(one, other)
  const near = [...stories.values()].flatMap((story) =>
    pairsOf(story).flatMap(([one, other]) => compared(one, other) ?? []),
  )
  const flagged = near.filter((containment) => containment >= index.same).length
  return [{ measure: 'false_rate', value: near.length === 0 ? 0 : flagged / near.length, n: near.length }]
}

const answer = (
  id: string,
  edit: EditName | null,
  { duplicate_of, derived_from, containment }: Origin,
): DuplicatesAnswer => ({
  id,
  edit,
  duplicate_of,
  derived_from,
  containment,
})

/** Replaces article ids with the ids of the file. */
const named = (one: DuplicatesAnswer, ids: ReadonlyMap<string, string>): DuplicatesAnswer => ({
  ...one,
  id: ids.get(one.id) ?? one.id,
  duplicate_of: one.duplicate_of === null ? null : (ids.get(one.duplicate_of) ?? one.duplicate_of),
  derived_from: one.derived_from === null ? null : (ids.get(one.derived_from) ?? one.derived_from),
})

const words = (text: string): number => text.split(/\s+/).length

const asText = ({ title, text, url, published, language }: LabelledArticle, arrival: number): Text => ({
  namespace: 'quality',
  article_id: articleId('quality', url === null ? null : canonicalUrl(url), text),
  content_hash: contentHash(title, text),
  occurred_at: published ?? arrival,
  dated: published !== null,
  title,
  text,
  language,
  sentences: [], // of one language
})

/** The clusterer's text index without the rest of the clusterer: it needs no vectors. */
function textIndex(weights: OriginWeights) {
  const texts = noTexts()
  let order = 0
  return {
    origin: (text: Text): Origin => origin(texts, newcomer(text, weights), weights),
    add: (text: Text, { syndication_group }: Origin): void => {
      addText(texts, { ...newcomer(text, weights), order: order++, group: syndication_group, translates: null })
    },
    /** Containment of two texts, 0 to 1; `null` if one is too short to be compared. */
    compare: (one: Text, other: Text): number | null => {
      const [a, b] = [newcomer(one, weights).print.sample, newcomer(other, weights).print.sample]
      return a.length === 0 || b.length === 0 ? null : sampledContainment(a, b)
    },
    same: weights.same,
  }
}

type TextIndex = ReturnType<typeof textIndex>
