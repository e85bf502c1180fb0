import { groupedBy } from '../grouped-by.ts'
import { isReadAsEnglish } from '../language-of.ts'

/**
 * The articles of a story in one language, in the order given: in English if there are any, otherwise in the language of
 * most of them (of two as frequent, the first). An article in an unknown language counts as English.
 */
export function inOneLanguage<Article extends { readonly language: string }>(
  articles: readonly Article[],
): readonly Article[] {
  const byLanguage = groupedBy(articles, ({ language }) => (isReadAsEnglish(language) ? 'en' : language))
  const largest = [...byLanguage.values()].reduce<Article[]>((most, own) => (own.length > most.length ? own : most), [])
  return byLanguage.get('en') ?? largest
}
