import { articlesAnalyzed, articlesIngested, articlesScored } from '../../src/events/articles.ts'
import { changesPublished } from '../../src/events/changes.ts'
import { discoursePolled, discoursePosts, storiesEnriched } from '../../src/events/discourse.ts'
import { storiesLinked } from '../../src/events/graph.ts'
import { articlesClustered } from '../../src/events/ledger.ts'
import { storiesTransitioned } from '../../src/events/lifecycle.ts'
import { monitorsChanged, storiesMatched } from '../../src/events/monitors.ts'
import { documentsFetched, feedsChanged } from '../../src/events/sources.ts'
import { clockTicked, correctionsRequested, keysChanged } from '../../src/events/settings.ts'
import type { Topic } from '../../src/events/topic.ts'
import { trendsDetected } from '../../src/events/trends.ts'
import { webhooksChanged, webhooksDelivered } from '../../src/events/webhooks.ts'
import { changedMemory } from '../../src/stages/changed/changelog.ts'
import { clusteredAssignments } from '../../src/stages/clustered/assignments.ts'
import { clusteredMemory } from '../../src/stages/clustered/changelog.ts'
import { detectedMemory } from '../../src/stages/detected/changelog.ts'
import { enrichedMemory } from '../../src/stages/enriched/changelog.ts'
import { matchedMemory } from '../../src/stages/matched/changelog.ts'
import { linkedMemory } from '../../src/stages/linked/changelog.ts'
import { transitionedMemory } from '../../src/stages/transitioned/changelog.ts'

const topics: readonly Topic<never>[] = [
  ...[articlesIngested, articlesScored, articlesAnalyzed, articlesClustered, changesPublished, clockTicked],
  ...[correctionsRequested, discoursePolled, discoursePosts, keysChanged, storiesEnriched, storiesLinked],
  ...[
    storiesTransitioned,
    trendsDetected,
    webhooksChanged,
    webhooksDelivered,
    changedMemory,
    clusteredMemory,
    matchedMemory,
  ],
  ...[detectedMemory, enrichedMemory, linkedMemory, transitionedMemory, clusteredAssignments],
  ...[documentsFetched, feedsChanged, monitorsChanged, storiesMatched],
]

/** A topic of the pipeline by its name; its events are whatever the log holds. */
export function topicOf(name: string): Topic<unknown> {
  const found = topics.find((topic) => topic.name === name)
  if (found === undefined) throw new Error(`${name} is missing in test/golden/keys.ts`)
  return found
}

/** The record's key, as its writer would have it. */
export const keyOf = (topic: string, event: unknown): string => topicOf(topic).key(event)
