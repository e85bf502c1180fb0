import { expect, it } from 'vitest'
import { feedState, lacksFullText, type FeedPolls } from './feed-health.ts'

const active = { status: 'active', full_text: true } as const
const polls = (over: Partial<FeedPolls> = {}): FeedPolls => ({
  polled_at: '2026-03-02T12:00:00.000Z',
  ...{ failures: 0, full_texts: 0, feed_texts: 0, without_text: 0 },
  ...over,
})

it.each([
  ['waiting', active, undefined],
  ['waiting', active, polls({ polled_at: null })],
  ['ok', active, polls()],
  ['failing', active, polls({ failures: 1 })],
  ['paused', { ...active, status: 'paused' as const }, polls({ failures: 1 })],
  ['gone', { ...active, status: 'gone' as const }, polls()],
])('a feed is %s', (state, feed, known) => {
  expect(feedState(feed, known)).toBe(state)
})

it.each([
  [true, active, polls({ feed_texts: 2, without_text: 1 })],
  [false, active, polls({ feed_texts: 2 })], // too few to conclude from
  [false, active, polls({ feed_texts: 9, full_texts: 1 })],
  [false, { ...active, full_text: false }, polls({ feed_texts: 9 })],
  [false, { ...active, status: 'paused' as const }, polls({ feed_texts: 9 })],
  [false, active, undefined],
])('a feed lacks full text: %s', (lacks, feed, known) => {
  expect(lacksFullText(feed, known)).toBe(lacks)
})
