import { PlatformUnavailable } from './platform.ts'
import type { KnownPost } from './published-posts.ts'

/** The response of a platform to a look-up of posts by id. */
export interface PresenceAnswer {
  /** Ids in the response, of existing and of deleted posts. */
  readonly returned: readonly string[]
  /** The ids of existing posts. */
  readonly existing: readonly string[]
}

type StillThereAsk = (ids: readonly string[]) => Promise<PresenceAnswer>

/**
 * Returns the ids that no longer exist, and the number of posts in the responses. A response without any of the
 * requested posts may be an error, and accepting it would delete all of them. So it is accepted only if a look-up of a
 * single id also returns nothing. Otherwise throws `PlatformUnavailable`.
 */
export async function goneAmong(posts: readonly Pick<KnownPost, 'post_id'>[], atOnce: number, ask: StillThereAsk) {
  const ids = posts.map(({ post_id }) => post_id)
  const gone: string[] = []
  let read = 0
  const counted: StillThereAsk = async (some) => {
    const answered = await ask(some)
    read += answered.returned.length
    return answered
  }
  for (let i = 0; i < ids.length; i += atOnce) gone.push(...(await goneAt(ids.slice(i, i + atOnce), counted)))
  return { gone, read }
}

async function goneAt(ids: readonly string[], ask: StillThereAsk): Promise<readonly string[]> {
  const first = await ask(ids)
  if (holdsAny(first, ids)) return without(ids, first)
  const again = await ask(ids.slice(0, 1))
  if (ids.length === 1) return without(ids, again)
  if (holdsAny(again, ids)) throw new PlatformUnavailable('none_of_asked')
  return ids
}

const holdsAny = ({ returned }: PresenceAnswer, ids: readonly string[]): boolean =>
  ids.some((id) => returned.includes(id))

function without(ids: readonly string[], { existing }: PresenceAnswer): readonly string[] {
  const remaining = new Set(existing)
  return ids.filter((id) => !remaining.has(id))
}
