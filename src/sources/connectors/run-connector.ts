import type { PollOutcome } from '../../events/discourse.ts'
import { nextMonth, type Budget } from './budget.ts'
import {
  pollResultOf,
  OK,
  PlatformUnavailable,
  Limited,
  type FoundPosts,
  type PlatformSource,
  type PlatformTrouble,
  type SharedPorts,
  type StoryTarget,
} from './platform.ts'
import type { KnownPost } from './published-posts.ts'
import { NOTHING_PUBLISHED, type PublishedCounts } from './publishing.ts'
import { Rounds, type RoundEnd, type RoundsTask } from './rounds.ts'
import { byPriority } from './targets-of.ts'

const noCounts = () => ({
  stories: 0,
  /** Stories that were not searched, because of the budget or of failures up to the end of the round. */
  left: 0,
  read: 0,
  published: 0,
  deleted: 0,
  /** Posts that violate our rules. */
  flawed: 0,
  /** Branches of threads that were too deep or too many to be read. */
  unread: 0,
  troubles: 0,
})

/** The counts of a round. */
export type RoundCounts = ReturnType<typeof noCounts>

export interface ConnectorTrouble {
  readonly namespace: string
  readonly cluster_id: string | null
  readonly outcome: PollOutcome
  readonly trouble: PlatformTrouble
}

export interface ConnectorPorts extends SharedPorts {
  readonly source: PlatformSource
  readonly budget: Budget
  readonly onTrouble: (trouble: ConnectorTrouble) => void
  readonly onRound: (counts: Readonly<RoundCounts>) => void
}

/** Polls a platform in rounds until the signal aborts. Throws if our own engines fail; the caller restarts it. */
export async function runConnector(ports: ConnectorPorts, signal: AbortSignal): Promise<void> {
  const connector = new Connector(ports, signal)
  while (!connector.rounds.isOver()) {
    await connector.round()
    await connector.rounds.rest()
  }
}

class Connector {
  readonly rounds: Rounds
  private readonly ports: ConnectorPorts
  private readonly signal: AbortSignal
  private counts = noCounts()

  constructor(ports: ConnectorPorts, signal: AbortSignal) {
    this.ports = ports
    this.signal = signal
    this.rounds = new Rounds(ports.source.platform, ports.clock, signal)
  }

  async round(): Promise<void> {
    const { budget, clock, publishing, onRound } = this.ports
    this.counts = noCounts()
    const startedAt = this.rounds.begin()
    budget.startRound(clock.now())
    publishing.posts.forget(clock.now())
    if (!(await this.isBudgetUsedUp())) await this.pollAll(startedAt)
    if (!this.rounds.isOver()) onRound(this.counts)
  }

  /**
   * Searches stories, then looks up published posts, then retries failed stories, so that one bad response delays
   * nothing else.
   */
  private async pollAll(startedAt: number): Promise<void> {
    const failed: StoryTarget[] = []
    if ((await this.searchAll(startedAt, failed)) === 'over') return
    if ((await this.lookUpAll(startedAt, failed.length)) === 'over') return
    let left: readonly StoryTarget[] = failed
    while (left.length > 0) left = await this.searchAgain(left)
  }

  private async searchAll(startedAt: number, failed: StoryTarget[]): Promise<RoundEnd> {
    const due = (await this.allTargets()).filter(({ namespace, cluster_id }) => {
      const lastPolledAt = this.ports.publishing.polls.lastPolledAt(namespace, cluster_id)
      return lastPolledAt === null || lastPolledAt < startedAt // otherwise a restart would poll a story twice in one round
    })
    for (const [i, target] of due.entries()) {
      if (!this.ports.budget.startSearch(due.length - i)) {
        this.counts.left += due.length - i
        return 'done'
      }
      const task = this.search(target, (...trouble) => this.onTrouble(...trouble))
      const ending = await this.rounds.retryUntilDone(task)
      if (ending === 'over') return ending
      this.counts[ending === 'done' ? 'stories' : 'left'] += 1
      if (ending === 'left') failed.push(target)
    }
    return 'done'
  }

  /** Retries each story once. Returns those that failed again. */
  private async searchAgain(left: readonly StoryTarget[]): Promise<readonly StoryTarget[]> {
    const failed: StoryTarget[] = []
    for (const [i, target] of left.entries()) {
      if (!this.ports.budget.startSearch(left.length - i)) return []
      const task = this.search(target, (...trouble) => this.onTroubleAgain(...trouble))
      const ending = await this.rounds.retryOnce(task)
      if (ending === 'over') return []
      if (ending === 'left') failed.push(target)
      else {
        this.counts.stories += 1
        this.counts.left -= 1
      }
    }
    return failed
  }

  private async allTargets(): Promise<readonly StoryTarget[]> {
    const { source, namespaces, targets } = this.ports
    const found = await Promise.all(namespaces.map((namespace) => targets(namespace)))
    return found
      .flat()
      .filter(({ priority }) => source.searches(priority))
      .sort(byPriority)
  }

  private search(target: StoryTarget, onTrouble: OnTrouble): RoundsTask {
    const { source, publishing } = this.ports
    const { namespace, cluster_id } = target
    let before = NOTHING_FOUND
    return {
      attempt: async () => {
        const found = await source.search(target, publishing.polls.cursor(namespace, cluster_id), this.signal)
        const counts = await this.publish(namespace, found)
        const { read, cursor, stopped, complete = [] } = found
        publishing.posts.markMissing(namespace, complete)
        this.counts.unread += found.unread ?? 0
        before = { read, counts }
        if (stopped !== undefined) throw stopped
        await publishing.report({ namespace, cluster_id, ...OK, posts_read: read, cursor }, counts)
      },
      onTrouble: async (trouble) => {
        await onTrouble(target, trouble, before)
        before = NOTHING_FOUND
      },
    }
  }

  private async lookUpAll(roundStart: number, searchesToCome: number): Promise<RoundEnd> {
    const { namespaces, publishing, budget, clock, source } = this.ports
    for (const namespace of namespaces) {
      if (!budget.startLookUp(searchesToCome)) return 'done'
      const most = Math.min(Math.ceil(source.lookUpsPerRound / namespaces.length), budget.left())
      const due = publishing.posts.due(namespace, { now: clock.now(), roundStart }).slice(0, most)
      if (due.length === 0) continue
      const ending = await this.rounds.retryUntilDone({
        attempt: () => this.lookUp(namespace, due),
        onTrouble: (trouble) => this.onTrouble({ namespace, cluster_id: null }, trouble),
      })
      if (ending === 'over') return ending
    }
    return 'done'
  }

  private async lookUp(namespace: string, due: readonly KnownPost[]): Promise<void> {
    const { source, publishing, clock } = this.ports
    const { gone, read } = await source.gone(due, this.signal)
    const counts = await this.publish(namespace, { posts: [], gone, read })
    const ids = due.map(({ post_id }) => post_id)
    publishing.posts.markSeen(namespace, ids, clock.now())
    const cursor = publishing.polls.cursor(namespace, null)
    await publishing.report({ namespace, cluster_id: null, ...OK, posts_read: read, cursor }, counts)
  }

  private async publish(namespace: string, { posts, gone = [], read }: Pick<FoundPosts, 'posts' | 'gone' | 'read'>) {
    const counts = await this.ports.publishing.publish(namespace, { posts, gone })
    this.counts.read += read
    this.counts.published += counts.published
    this.counts.deleted += counts.deleted
    this.counts.flawed += counts.flawed
    return counts
  }

  /** If the budget is used up, this is reported once per round in every namespace, and nothing is requested. */
  private async isBudgetUsedUp(): Promise<boolean> {
    const { budget, clock, namespaces } = this.ports
    const now = clock.now()
    if (!budget.isUsedUp(now)) return false
    const trouble = new Limited('monthly_budget', nextMonth(now))
    for (const namespace of namespaces) await this.onTrouble({ namespace, cluster_id: null }, trouble)
    return true
  }

  private async onTrouble(
    { namespace, cluster_id }: TroubleSubject,
    trouble: PlatformTrouble,
    before = NOTHING_FOUND,
  ): Promise<void> {
    const { publishing } = this.ports
    this.report({ namespace, cluster_id }, trouble)
    const cursor = publishing.polls.cursor(namespace, cluster_id)
    const poll = { namespace, cluster_id, ...pollResultOf(trouble), cursor }
    await publishing.report({ ...poll, posts_read: before.read }, before.counts)
  }

  /**
   * Reports a retried story that failed again while others succeeded. The failure does not concern the platform, and
   * recording it would make every round end with a failure. So only the number of posts read is recorded, with the
   * platform's current outcome.
   */
  private async onTroubleAgain(about: TroubleSubject, trouble: PlatformTrouble, before: PartialSearch): Promise<void> {
    if (!(trouble instanceof PlatformUnavailable)) {
      await this.onTrouble(about, trouble, before)
      return
    }
    this.report(about, trouble)
    if (before.read === 0) return
    const { polls } = this.ports.publishing
    const { namespace } = about
    const poll = { namespace, cluster_id: null, ...polls.outcome(namespace), cursor: polls.cursor(namespace, null) }
    await this.ports.publishing.report({ ...poll, posts_read: before.read }, before.counts)
  }

  private report({ namespace, cluster_id }: TroubleSubject, trouble: PlatformTrouble): void {
    this.counts.troubles += 1
    this.ports.onTrouble({ namespace, cluster_id, outcome: pollResultOf(trouble).outcome, trouble })
  }
}

type TroubleSubject = Pick<ConnectorTrouble, 'namespace' | 'cluster_id'>
type OnTrouble = (about: TroubleSubject, trouble: PlatformTrouble, before: PartialSearch) => Promise<void>

/** What a search found before it failed. */
interface PartialSearch {
  readonly read: number
  readonly counts: PublishedCounts
}

const NOTHING_FOUND: PartialSearch = { read: 0, counts: NOTHING_PUBLISHED }
