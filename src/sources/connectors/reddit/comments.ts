import type { RedditClient } from './client.ts'
import { MoreChildren, Tree, type CommentData, type RedditListing, type Thing } from './shapes.ts'

const MAX_COMMENTS = 500
const MAX_EXPANSIONS = 10
const AT_ONCE = 100
const DEPTH = 10

export interface Comments {
  readonly comments: readonly CommentData[]
  /** Branches that were too deep or too many. */
  readonly unread: number
  /** Everything that stands in the thread is here. */
  readonly isComplete: boolean
}

/** What was said in a thread: at most 500 comments, the best first. Null: it is closed to us. */
export async function commentsOf(client: RedditClient, thread: string, signal: AbortSignal): Promise<Comments | null> {
  const query = { limit: `${MAX_COMMENTS}`, depth: `${DEPTH}`, sort: 'top' }
  const tree = await client.askIfOpen({ path: `/comments/${thread.replace(/^t3_/, '')}`, query, shape: Tree }, signal)
  if (tree === null) return null

  const gathered = new Gathered()
  gathered.add(tree[1].children)
  for (let expansions = 0; expansions < MAX_EXPANSIONS && gathered.wantsMore(); expansions++) {
    const form = { api_type: 'json', link_id: thread, children: gathered.next().join(','), limit_children: 'false' }
    const { json } = await client.ask({ path: '/api/morechildren', form, shape: MoreChildren }, signal)
    if (json.data === null || json.data === undefined) gathered.miss()
    else gathered.add(json.data.things)
  }
  return gathered.result()
}

/** Comments as they come, and the ids of those that stand behind a "more". */
class Gathered {
  private readonly comments = new Map<string, CommentData>()
  private readonly expansions = new Set<string>()
  private waiting: string[] = []
  private unread = 0

  add(things: readonly Thing[]): void {
    const level: Thing[] = [...things]
    for (let thing = level.shift(); thing !== undefined; thing = level.shift()) {
      if (thing.kind === 'more') this.expand(thing.data)
      if (thing.kind !== 't1') continue
      this.comments.set(thing.data.name, thing.data)
      level.push(...below(thing.data.replies))
    }
  }

  /** What was asked for did not come. */
  miss(): void {
    this.unread += 1
  }

  wantsMore(): boolean {
    return this.waiting.length > 0 && this.comments.size < MAX_COMMENTS
  }

  next(): readonly string[] {
    return this.waiting.splice(0, AT_ONCE)
  }

  result(): Comments {
    const all = [...this.comments.values()]
    const unread = this.unread + this.waiting.length
    return { comments: all.slice(0, MAX_COMMENTS), unread, isComplete: unread === 0 && all.length <= MAX_COMMENTS }
  }

  /** `_` says "continue this thread": a page of its own, which is left. */
  private expand({ id, children }: { readonly id: string; readonly children: readonly string[] }): void {
    if (id === '_' || children.length === 0) this.unread += 1
    const fresh = children.filter((child) => child !== '_' && !this.expansions.has(child))
    for (const child of fresh) this.expansions.add(child)
    this.waiting.push(...fresh)
  }
}

const below = (replies: RedditListing | null): readonly Thing[] => replies?.children ?? []
