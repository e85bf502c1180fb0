export type NameType = 'PER' | 'ORG' | 'LOC' | 'EVENT'

export const NAME_TYPES: readonly NameType[] = ['PER', 'ORG', 'LOC', 'EVENT']

/** 0 is O (no name); `1 + 2t` is the first word of a name of type `t`, `2 + 2t` a further word. */
export const TAGS: readonly string[] = ['O', ...NAME_TYPES.flatMap((type) => [`B-${type}`, `I-${type}`])]

/** Whether a tag may follow another: a name can only continue with its own type. */
export const isLegal = (before: number, after: number): boolean =>
  after === 0 || after % 2 === 1 || before === after || before === after - 1

/** A name as word indices, end exclusive. */
export interface WordSpan {
  readonly type: NameType
  readonly start: number
  readonly end: number
}

/** The names in a tagged sentence. */
export function spansOfTags(tags: ArrayLike<number>): WordSpan[] {
  const spans: WordSpan[] = []
  let i = 0
  while (i < tags.length) {
    const tag = tags[i] ?? 0
    const start = i++
    if (tag === 0) continue
    const within = tag % 2 === 1 ? tag + 1 : tag
    while (i < tags.length && tags[i] === within) i++
    const type = NAME_TYPES[(within >> 1) - 1]
    if (type !== undefined) spans.push({ type, start, end: i })
  }
  return spans
}

/** The tags of a sentence with the given names, which must not overlap. */
export function tagsOfSpans(spans: readonly WordSpan[], length: number): number[] {
  const tags = new Array<number>(length).fill(0)
  for (const { type, start, end } of spans) {
    const begin = 1 + 2 * NAME_TYPES.indexOf(type)
    for (let i = start; i < end; i++) tags[i] = i === start ? begin : begin + 1
  }
  return tags
}
