import { linesIn, wordList } from '../model-files.ts'

/** Lines `code|name|name` as code by name. */
const table = (section: string): ReadonlyMap<string, string> =>
  new Map(
    linesIn(section).flatMap((row) => {
      const [code = '', ...names] = row.split('|')
      return names.map((name) => [name, code] as const)
    }),
  )

/** Signs before an amount; the dollar and the yen sign alone are the American and the Japanese. */
export const SIGNS = table('money/signs')

/** ISO 4217, before or after an amount. */
export const CODES = wordList('money/codes')

/** Words after an amount, with the currency where the word alone does not say it. */
export const UNITS = table('money/units')

/** Also a weight and a verb: money only in millions and the like. */
export const LARGE_UNITS = table('money/large-units')

/** A hundredth of the currency beside it. */
export const HUNDREDTHS = table('money/hundredths')

/** What a number is multiplied by; single letters stand right behind it. */
export const SCALES: ReadonlyMap<string, number> = new Map(
  [...table('money/scales')].map(([name, factor]) => [name, Number(factor)]),
)
