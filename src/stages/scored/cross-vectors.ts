import type { CrossVectors } from '../../events/articles.ts'
import { isReadAsEnglish } from '../../language/language-of.ts'
import { i8, NO_VECTOR, type Vector } from '../../events/vector.ts'

export interface CrossArticle {
  /** ISO 639-1, or `und`. */
  readonly language: string
  readonly passage: { readonly title: string; readonly sentences: readonly string[] }
}

/**
 * The texts to encode: the titles of all articles, then title and beginning of those that are not in English. Articles in
 * English are compared with each other by the vectors of the English encoder.
 */
export const crossTexts = (
  articles: readonly CrossArticle[],
): readonly { readonly text: string; readonly language: string }[] => [
  ...articles.map(({ language, passage: { title, sentences } }) => ({
    text: title === '' ? (sentences[0] ?? '') : title,
    language,
  })),
  ...articles.filter(isForeign).map(({ language, passage: { title, sentences } }) => ({
    text: [title, ...sentences].join(' ').trim(),
    language,
  })),
]

const isForeign = ({ language }: CrossArticle): boolean => !isReadAsEnglish(language)

/** The vectors of each article, from those of `crossTexts`, in the same order. */
export function crossVectors<Article extends CrossArticle>(
  articles: readonly Article[],
  vectors: readonly Float32Array[],
  model: string,
): (of: Article) => CrossVectors {
  const titles = new Map(articles.map((article, i) => [article, vectors[i]]))
  const leads = new Map(articles.filter(isForeign).map((article, i) => [article, vectors[articles.length + i]]))
  const serialised = (kind: string, vector: Float32Array | undefined): Vector =>
    vector === undefined ? NO_VECTOR : i8(`${model}:${kind}`, vector.length, [vector])
  return (article) => ({
    cross_title_vector: serialised('cross-title', titles.get(article)),
    cross_vector: serialised('cross', leads.get(article)),
  })
}
