import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { groupBy } from '../../src/domain/group-by.ts'
import { messageOf } from '../../src/domain/message-of.ts'
import { changesPublished, type ChangePublished } from '../../src/events/changes.ts'
import { articlesClustered } from '../../src/events/ledger.ts'
import { CLUSTER_CHANGE_TYPES, ledgerChange, type AssignmentOrChange } from '../../src/events/ledger-change.ts'
import type { FeedFollower } from './feed-follower.ts'
import { namespaceEvents, type ReadableLog } from '../chaos/log-content.ts'

/** What a client received of the feed of a namespace, compared with the log. */
export interface FeedFigures {
  readonly namespace: string
  readonly changes: number
  /** Of pages that the client asked for during the faults. */
  readonly pages: FeedFollower['pages']
  /** Received more than once, with the same id: allowed. */
  readonly received_again: number
  readonly failures: readonly string[]
}

/** Changes are published, and reach the stores, some time after they were decided. */
const COMPLETE_MS = 120_000
const AGAIN_MS = 5_000

/** Reads the rest of the feed, and again as long as it differs from the log. */
export async function feedFigures(follower: FeedFollower, from: ReadableLog): Promise<FeedFigures> {
  const { namespace, received, pages } = follower
  const before = received.length
  const end = performance.now() + COMPLETE_MS
  for (;;) {
    const decided = await namespaceEvents(articlesClustered, namespace, from)
    const published = await namespaceEvents(changesPublished, namespace, from)
    const unread = await follower.finish().then(
      () => [],
      (cause: unknown) => [messageOf(cause)],
    )
    const failures = [...unread, ...feedFailures(received, published, decided)]
    if (failures.length > 0 && performance.now() < end) {
      await sleep(AGAIN_MS)
      continue
    }
    return {
      ...{ namespace, changes: published.length, pages },
      received_again: received.length - new Set(received).size,
      failures: [...(before === 0 ? ['the client received nothing during the faults'] : []), ...failures],
    }
  }
}

export type FollowedChange = Pick<ChangePublished, 'event_id' | 'type' | 'subject_id' | 'data'>

/** The three arguments are of one namespace, each in order. */
export const feedFailures = (
  received: readonly string[],
  published: readonly FollowedChange[],
  decided: readonly AssignmentOrChange[],
): readonly string[] => [...clientFailures([...new Set(received)], published), ...storyFailures(published, decided)]

/** A client receives every change of the log, in the order of the log. */
function clientFailures(received: readonly string[], published: readonly FollowedChange[]): readonly string[] {
  const places = new Map(received.map((id, i) => [id, i]))
  const found = published.flatMap(({ event_id }) => places.get(event_id) ?? [])
  const late = found.filter((place, i) => i > 0 && place < (found[i - 1] ?? 0)).length
  const [missing, unknown] = [published.length - found.length, received.length - found.length]
  return [
    ...(missing > 0 ? [`the client did not receive ${missing} changes`] : []),
    ...(late > 0 ? [`the client received ${late} changes out of order`] : []),
    ...(unknown > 0 ? [`the client received ${unknown} changes that the log does not have`] : []),
  ]
}

/** The changes of each story are those that were decided, in the order of the decisions. */
function storyFailures(
  published: readonly FollowedChange[],
  decided: readonly AssignmentOrChange[],
): readonly string[] {
  const expected = linesByStory(decided.flatMap(decidedLine))
  const actual = linesByStory(published.flatMap(publishedLine))
  const stories = [...new Set([...expected.keys(), ...actual.keys()])]
  const [first, ...others] = stories.filter((story) => expected.get(story) !== actual.get(story))
  if (first === undefined) return []
  return [
    `the feed has other changes than were decided for ${others.length + 1} stories. Of ${first} it has\n` +
      `${actual.get(first) ?? 'none'}\nand decided was\n${expected.get(first) ?? 'none'}`,
  ]
}

interface StoryLine {
  readonly story: string
  readonly line: string
}

function decidedLine(event: AssignmentOrChange): readonly StoryLine[] {
  const change = ledgerChange(event)
  return change === null ? [] : [lineOf(event.cluster_id, change.type, change.data)]
}

const StoryData = z.object({ article_ids: z.array(z.string()) })

const publishedLine = ({ type, subject_id, data }: FollowedChange): readonly StoryLine[] =>
  CLUSTER_CHANGE_TYPES.some((one) => one === type) ? [lineOf(subject_id, type, StoryData.parse(JSON.parse(data)))] : []

const lineOf = (story: string, type: string, data: { readonly article_ids: readonly string[] }): StoryLine => ({
  story,
  line: `${type} ${data.article_ids.join()}`,
})

const linesByStory = (lines: readonly StoryLine[]): ReadonlyMap<string, string> =>
  new Map(
    [...groupBy(lines, ({ story }) => story)].map(([story, own]) => [story, own.map(({ line }) => line).join('\n')]),
  )
