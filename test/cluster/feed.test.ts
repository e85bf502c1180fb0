import { describe, expect, it } from 'vitest'
import type { AssignmentOrChange } from '../../src/events/ledger-change.ts'
import { feedFailures, type FollowedChange } from './feed.ts'

const decided = (action: AssignmentOrChange['action'], cluster_id: string, article_id: string): AssignmentOrChange => ({
  ...{ action, cluster_id, article_id },
  change: null,
})

const published = (
  event_id: string,
  type: FollowedChange['type'],
  subject_id: string,
  article_id: string,
): FollowedChange => ({
  event_id,
  type,
  subject_id,
  data: JSON.stringify({ article_ids: [article_id] }),
})

const DECIDED = [
  decided('opened', 'sto_a', 'art_1'),
  decided('opened', 'sto_b', 'art_2'),
  decided('revised', 'sto_b', 'art_2'),
  decided('joined', 'sto_a', 'art_3'),
]

const PUBLISHED = [
  { event_id: 'e1', type: 'article.scored' as const, subject_id: 'art_1', data: '{}' },
  published('e2', 'cluster.opened', 'sto_a', 'art_1'),
  published('e3', 'cluster.opened', 'sto_b', 'art_2'),
  published('e4', 'cluster.grown', 'sto_a', 'art_3'),
]

const RECEIVED = PUBLISHED.map(({ event_id }) => event_id)

describe('the feed of a cluster', () => {
  it('is complete if the client received every change in order, some of them again', () => {
    expect(feedFailures([...RECEIVED, 'e3', 'e4'], PUBLISHED, DECIDED)).toEqual([])
  })

  it('shows what a client did not receive, received late, or received from elsewhere', () => {
    expect(feedFailures(['e1', 'e2', 'e4'], PUBLISHED, DECIDED)).toEqual(['the client did not receive 1 changes'])
    expect(feedFailures(['e1', 'e3', 'e2', 'e4'], PUBLISHED, DECIDED)).toEqual([
      'the client received 1 changes out of order',
    ])
    expect(feedFailures([...RECEIVED, 'e9'], PUBLISHED, DECIDED)).toEqual([
      'the client received 1 changes that the log does not have',
    ])
  })

  it('shows a story whose changes are missing or in another order than decided', () => {
    const swapped = [PUBLISHED[0], PUBLISHED[3], PUBLISHED[2], PUBLISHED[1]].flatMap((one) => one ?? [])

    expect(feedFailures(['e1', 'e4', 'e3', 'e2'], swapped, DECIDED)).toEqual([
      expect.stringContaining('for 1 stories. Of sto_a it has\ncluster.grown art_3\ncluster.opened art_1\nand decided'),
    ])
    expect(feedFailures(['e1', 'e2', 'e3'], PUBLISHED.slice(0, 3), DECIDED)).toHaveLength(1)
  })
})
