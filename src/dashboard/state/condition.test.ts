import { expect, it } from 'vitest'
import { conditionOf, conditionText, type ObservedCondition } from './condition.ts'

const well: ObservedCondition = { isReached: true, isFailing: false, slow: 0, degraded: null }

it.each<[string, Partial<ObservedCondition>, string, RegExp | null]>([
  ['all is well', {}, 'ok', null],
  ['a request waits longer than three seconds', { slow: 1 }, 'slow', /^The service is responding slowly/],
  ['/health is degraded', { degraded: 'store is away', slow: 1 }, 'degraded', /degraded \(store is away\)/],
  ['a request failed', { isFailing: true }, 'degraded', /^The service is degraded\. /],
  ['nothing is reached', { isReached: false, isFailing: true }, 'unreachable', /cannot be reached/],
])('when %s', (_, over, condition, text) => {
  const observed = { ...well, ...over }

  expect(conditionOf(observed)).toBe(condition)
  if (text === null) expect(conditionText(observed)).toBeNull()
  else expect(conditionText(observed)).toMatch(text)
})
