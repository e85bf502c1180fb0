import { expect, it } from 'vitest'
import { codec } from '../../../test/builders/plain-log.ts'
import { transitionedMemory } from '../../stages/transitioned/changelog.ts'
import {
  matchedMemory,
  matchedStoryEntry,
  paceEntry,
  unmatchedStory,
  type MatchedRecord,
} from '../../stages/matched/changelog.ts'
import { stateMerge } from './merged-states.ts'

const story = (published: readonly number[], evaluated_at: number | null = null): MatchedRecord | null =>
  matchedStoryEntry('shared', { ...unmatchedStory('sto_a'), published, evaluated_at }).value

const pace = (sent: number): MatchedRecord | null =>
  paceEntry('shared', { monitor_id: 'mon_a', day: 16_924, sent, held_since: null }).value

async function merged(live: MatchedRecord | null, next: MatchedRecord | null): Promise<MatchedRecord | null> {
  const merge = stateMerge(matchedMemory.name, codec)
  const encoded = async (record: MatchedRecord | null) => (record === null ? null : codec.encode(matchedMemory, record))
  const found = await merge?.merged(await encoded(live), await encoded(next))
  const decoded = found == null ? null : await codec.decode(matchedMemory, found)
  return decoded?.kind === 'event' ? decoded.event : null
}

it('a story has the state of the new version, and matched all that either version matched', async () => {
  expect(await merged(story([3, 9], 1), story([4, 9], 2))).toEqual(story([3, 4, 9], 2))
  expect(await merged(null, story([4]))).toEqual(story([4]))
})

it('a story that only the live version knows is kept as long as it matched something', async () => {
  expect(await merged(story([3]), null)).toEqual(story([3]))
  expect(await merged(story([]), null)).toBeNull()
})

it('what was sent is known of the live version alone', async () => {
  expect(await merged(pace(7), pace(2))).toEqual(pace(7))
  expect(await merged(null, pace(2))).toBeNull()
})

it('entries of other stages are not merged', () => {
  expect(stateMerge(transitionedMemory.name, codec)).toBeNull()
})
