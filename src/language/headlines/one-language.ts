import { groupedBy } from '../grouped-by.ts'
import { isReadAsEnglish } from '../language-of.ts'

/**
 * The articles of a story in one language, in the order given: in the first preferred language that has any, otherwise in
 * the language of most of them (of two as frequent, the first). An article in an unknown language counts as English.
 */
export function inOneLanguage<Article extends { readonly language: string }>(
  articles: readonly Article[],
  preferred: readonly string[] = ['en'],
): readonly Article[] {
  const byLanguage = groupedBy(articles, ({ language }) => (isReadAsEnglish(language) ? 'en' : language))
  const largest = [...byLanguage.values()].reduce<Article[]>((most, own) => (own.length > most.length ? own : most), [])
  const chosen = preferred.find((language) => byLanguage.has(language))
  return byLanguage.get(chosen ?? '') ?? largest
}
