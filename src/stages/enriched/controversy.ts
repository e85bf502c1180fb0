import type { RememberedPost } from './changelog.ts'

type Voice = Pick<RememberedPost, 'author_hash' | 'post_id' | 'stance' | 'probabilities'>

/** Who said it; a post whose author is unknown stands for somebody of its own. */
export const authorOf = ({ author_hash, post_id }: Pick<RememberedPost, 'author_hash' | 'post_id'>): string =>
  author_hash === '' ? `post ${post_id}` : author_hash

/** Posts added one after the other, and how divided their authors are by then. */
export interface SidesTally {
  add(voice: Voice): void
  authors(): number
  controversy(): number
}

/** How surely an author was heard to support and to deny, each 0 to 1: by the post that says it most surely. */
interface Side {
  support: number
  deny: number
}

/** People who take a side at which the sample counts half. */
const HALF_SURE = 8

export function sidesTally(): SidesTally {
  const sides = new Map<string, Side>()
  /** Authors on each side; a record is emitted for many moments, so they are counted as they speak. */
  const taken = { support: 0, deny: 0, neither: 0 }
  return {
    add(voice) {
      const author = authorOf(voice)
      const known = sides.get(author)
      const side = known ?? { support: 0, deny: 0 }
      if (known === undefined) sides.set(author, side)
      else taken[sideOf(side)] -= 1
      const { stance } = voice
      if (stance === 'support' || stance === 'deny') side[stance] = Math.max(side[stance], certainty(voice))
      taken[sideOf(side)] += 1
    },
    authors: () => sides.size,
    controversy: () => controversy({ ...taken, authors: sides.size }),
  }
}

/** Who does both is on the side that he takes more surely. */
const sideOf = ({ support, deny }: Side): 'support' | 'deny' | 'neither' =>
  deny > support ? 'deny' : support > 0 ? 'support' : 'neither'

/** Of an assigned stance: at least a half, since rare stances are assigned before they are the most likely. */
const certainty = ({ stance, probabilities }: Voice): number => 0.5 + 0.5 * (probabilities?.[stance] ?? 0)

/**
 * How evenly and how strongly authors support and deny, 0 to 1:
 *
 *     2 min(s, d) / (s + d)  ·  √((s + d) / authors)  ·  (s + d)² / ((s + d)² + 8²)
 *
 * with s authors who support and d who deny. The first factor is 1 where sides are even and 0 where all agree, the second the share that takes one, the third keeps a handful near 0.
 */
function controversy({ support, deny, authors }: Side & { readonly authors: number }): number {
  const taken = support + deny
  if (taken === 0) return 0
  const evenness = (2 * Math.min(support, deny)) / taken
  return evenness * Math.sqrt(taken / authors) * (taken ** 2 / (taken ** 2 + HALF_SURE ** 2))
}
