/** What a query may look at. */
export interface Searched {
  readonly text: string
  /** Whether an operator holds: `conversation_id:17`, `is:retweet`. Unknown ones do not. */
  readonly operator: (name: string, value: string) => boolean
}

type QueryCondition = (searched: Searched) => boolean

/**
 * A search as the platforms read one, as far as a connector needs it: words (all of them), "phrases", OR, -not, brackets,
 * name:value. OR binds less than standing side by side.
 */
export function matches(query: string, searched: Searched): boolean {
  const tokens = query.match(/-?\(|\)|-?\w+:"[^"]*"|-?"[^"]*"|[^\s()]+/g) ?? []
  let at = 0
  const anyOf = (): QueryCondition => {
    const parts = [allOf()]
    while (tokens[at] === 'OR') {
      at++
      parts.push(allOf())
    }
    return (it) => parts.some((part) => part(it))
  }
  const allOf = (): QueryCondition => {
    const parts: QueryCondition[] = []
    while (at < tokens.length && tokens[at] !== ')' && tokens[at] !== 'OR') parts.push(one(tokens[at++] ?? ''))
    return (it) => parts.every((part) => part(it))
  }
  const one = (token: string): QueryCondition => {
    if (token === 'AND') return () => true
    if (token.startsWith('-') && token.length > 1) {
      const not = one(token.slice(1))
      return (it) => !not(it)
    }
    if (token !== '(') return term(token)
    const inner = anyOf()
    at++ // the closing bracket
    return inner
  }
  return anyOf()(searched)
}

function term(token: string): QueryCondition {
  if (token === '*') return () => true
  const operator = /^(\w+):(?!\/\/)(.+)$/.exec(token)
  if (operator !== null) {
    const [, name = '', value = ''] = operator
    return (it) => it.operator(name, value.replace(/^"|"$/g, ''))
  }
  return ({ text }) => inWords(text).includes(inWords(token))
}

/** ` like this `: lower case, only letters and digits, so that a phrase is a part of it. */
const inWords = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
