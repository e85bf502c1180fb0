import type { Genre } from '../../events/articles.ts'

interface CoreArticlesNear {
  readonly genre: Genre
  /** To the centre, -1 to 1. */
  readonly similarity: number
}

/** The next best genres to quote where a story has no report; what only argues or collects comes last. */
const ORDER: readonly (readonly Genre[])[] = [
  ['report'],
  ['analysis', 'explainer', 'live_blog'],
  ['roundup', 'press_digest', 'opinion'],
]
/** Members at most this much farther from the centre than the nearest one are at the core. */
const CORE = 0.12

/** The members that say what happened: reports where there are any, and of these the ones near the centre. */
export function coreArticles<Member extends CoreArticlesNear>(members: readonly Member[]): Member[] {
  const kind = ORDER.find((genres) => members.some(({ genre }) => genres.includes(genre))) ?? []
  const able = members.filter(({ genre }) => kind.includes(genre))
  const best = Math.max(...able.map(({ similarity }) => similarity))
  return able.filter(({ similarity }) => similarity >= best - CORE)
}
