/** What one pass over a sentence counts. */
export interface Scan {
  /** Lower case, in order. */
  readonly words: string[]
  /** In words of a script with spaces: a Chinese or Thai character counts as 0.6. */
  length: number
  /** Small words of the language; other words stand in `carrying`. */
  small: number
  readonly carrying: string[]
  /** Words and pairs of offers and of pages' notices. */
  notices: number
  /** Words of Latin filler. */
  placeholders: number
  /** What no grammar allows: "the of", "by was", a sentence that ends in "and". */
  breaks: number
  /** Words with digits or marks between their letters: `t0wn`, `re|son`. */
  broken: number
  /** Four letters and more, all capitals. */
  shouted: number
  /** Sum of AFINN's -5 to 5. */
  valence: number
  /** Letters, capital and small ones, of all characters that are not blank. */
  letters: number
  upper: number
  lower: number
  visible: number
  /** Neither letter, digit, blank nor ordinary punctuation; runs of `!` and `?`. */
  odd: number
  /** Characters of programs and mark-up. */
  code: number
  tags: number
  addresses: number
}
