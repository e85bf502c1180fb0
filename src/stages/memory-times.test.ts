import { expect, it } from 'vitest'
import { boundByLog, type Topic } from '../events/topic.ts'
import { clusteredMemory } from './clustered/changelog.ts'
import { detectedMemory } from './detected/changelog.ts'
import { linkedMemory } from './linked/changelog.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const AHEAD = NOON + 365 * 86_400_000

it.each<[string, Topic<never>, object]>([
  ['clustered', clusteredMemory, { occurred_at: AHEAD, logged_at: AHEAD }],
  ['linked', linkedMemory, { article: { occurred_at: AHEAD }, story: null }],
  ['detected', detectedMemory, { article: { occurred_at: AHEAD }, told: null }],
  ['detected', detectedMemory, { article: null, told: { crossings: [{ from: 1, last: AHEAD }] } }],
])('binds times that an entry of %s.memory holds by the time of its record', (_, memory, entry) => {
  const bound = JSON.stringify(memory.boundTimes?.(entry as never, (time) => boundByLog(time, NOON)))

  expect(bound).toContain(`${NOON}`)
  expect(bound).not.toContain(`${AHEAD}`)
})
