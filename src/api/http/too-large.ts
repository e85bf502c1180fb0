import { problem, type Problem } from './problem.ts'
import type { Route } from './route.ts'

/** What makes an answer larger, in the order in which narrowing it helps. */
const WIDTHS = ['time_range', 'as_of', 'resolution', 'ids', 'depth', 'max_nodes', 'limit', 'topic', 'query', 'entity']

/** The question is too large for one answer: which of its parameters to narrow. */
export function tooLarge({ takesQuery }: Pick<Route, 'takesQuery'>): Problem {
  const narrow = WIDTHS.filter((name) => takesQuery.includes(name))
  const how = narrow.length === 0 ? 'request a smaller part' : `narrow ${narrow.join(', ')}`
  return problem('query_too_large', `The request would read too much data: ${how}`)
}
