import { describe, expect, it } from 'vitest'
import { attempts, evolve, type InstanceHealth, type Probe, UNCHECKED } from './balance.ts'

const ready: InstanceHealth = { isReady: true, late: 0 }
const away: InstanceHealth = { isReady: false, late: 0 }

const after = (...probes: readonly Probe[]): boolean => probes.reduce(evolve, UNCHECKED).isReady

describe('attempts', () => {
  it('gives ready instances a turn each', () => {
    expect([0, 1, 2, 3].map((turn) => attempts([ready, ready, ready], turn)[0])).toEqual([0, 1, 2, 0])
  })

  it('tries another ready instance when the connection fails', () => {
    expect(attempts([ready, ready], 1)).toEqual([1, 0])
  })

  it('tries an instance that is not ready only after those that are', () => {
    expect([0, 1, 2].map((turn) => attempts([away, ready, ready], turn))).toEqual([
      [1, 2, 0],
      [2, 1, 0],
      [1, 2, 0],
    ])
  })

  it('tries all if none is ready, because a check may be outdated', () => {
    expect(attempts([away, away], 3)).toEqual([1, 0])
  })

  it('has nothing to try without instances', () => {
    expect(attempts([], 5)).toEqual([])
  })
})

describe('evolve', () => {
  it('starts without readiness, until the first check', () => {
    expect([UNCHECKED.isReady, after('ready')]).toEqual([false, true])
  })

  it('takes an instance out at its first refusal', () => {
    expect(after('ready', 'refused')).toBe(false)
  })

  it('takes an instance out at the second late answer in a row', () => {
    expect([after('ready', 'late'), after('ready', 'late', 'late')]).toEqual([true, false])
    expect(after('ready', 'late', 'ready', 'late')).toBe(true)
  })

  it('takes an instance back at its first good answer', () => {
    expect([after('ready', 'refused', 'ready'), after('late', 'late', 'late', 'ready')]).toEqual([true, true])
  })

  it('does not take a late instance for a ready one', () => {
    expect(after('refused', 'late')).toBe(false)
  })
})
