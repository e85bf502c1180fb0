import { describe, expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/model-files.ts'
import type { Candidate, Decision } from '../../events/ledger.ts'
import { assignmentConfidence, assignmentOf, settledConfidence } from './assignment.ts'

const { assignment: weights } = clusteringModel()
const own = { dated: true, hasBody: true }

const candidate = (score: number, size = 3): Candidate => ({
  cluster_id: 'sto_a',
  score,
  features: { size, mean_link: score, max_link: score },
})

const confidence = (decision: Partial<Decision>, text = own): number =>
  assignmentConfidence(
    assignmentOf({ rule: 'link', chosen: null, runner_up: null, threshold: 0, ...decision }, text),
    weights,
  )

describe('how surely an article stays in its story', () => {
  it('is a probability that falls as the best rival comes near', () => {
    const rivals = [-4, -1, 1, 2.9].map((score) => confidence({ chosen: candidate(3), runner_up: candidate(score) }))

    expect(rivals).toEqual([...rivals].sort((a, b) => b - a))
    expect(Math.max(...rivals)).toBeLessThan(1)
    expect(Math.min(...rivals)).toBeGreaterThan(0)
  })

  it('falls where an article barely joins, or opens a story beside one that nearly fits', () => {
    expect(confidence({ chosen: candidate(0.05) })).toBeLessThan(confidence({ chosen: candidate(2) }))
    expect(confidence({ runner_up: candidate(-0.05) })).toBeLessThan(confidence({ runner_up: null }))
  })

  it('is least for headlines without a date', () => {
    const bare = { dated: false, hasBody: false }

    expect(confidence({ chosen: candidate(1) }, bare)).toBeLessThan(confidence({ chosen: candidate(1) }))
  })

  it('is one number for all articles of a story that has settled', () => {
    const settled = (size: number) => settledConfidence(Array(size).fill(own), weights)

    expect(settled(1)).toBeGreaterThan(0.95)
    expect(settled(30)).toBeLessThan(settled(2))
  })

  it('is 0 in a story that the same recluster opened and emptied', () => {
    expect(settledConfidence([], weights)).toBe(0)
  })

  it('follows from facts and weights alone, to four decimals', () => {
    const facts = { kind: 'opened', facts: { gap: 2, unheard_of: 9 } } as const
    const simple = { ...weights, opened: { bias: 1, gap: 0.5 } }

    expect(assignmentConfidence(facts, simple)).toBe(0.8808)
  })
})
