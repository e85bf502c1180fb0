import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadConfig } from './config.ts'
import { partitionBudget, stateBudgets } from './state-budgets.ts'

it('the partitions of a process, each filled to its part, fit into the budget of the process', () => {
  const number = fc.integer({ min: 1, max: 64 })
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000 }), number, number, fc.nat(2), (budget, partitions, ...more) => {
      const [processes, standbys] = more
      // the most that an even assignment gives to one of them
      const kept = Math.ceil(partitions / processes) + Math.ceil((partitions * standbys) / processes)
      const part = partitionBudget(budget, { partitions, processes, standbys })

      expect(Math.min(partitions, kept) * part).toBeLessThanOrEqual(budget)
    }),
  )
})

it.each([
  [12, 1, 0, 16_666],
  [12, 1, 1, 16_666], // a single process is nobody's standby
  [12, 2, 0, 33_333],
  [12, 2, 1, 16_666],
  [12, 5, 0, 66_666], // some of five processes have three partitions
  [12, 6, 1, 50_000],
  [12, 13, 0, 200_000],
  [1, 1, 1, 200_000],
])('of 200,000 articles, each of %i partitions in %i processes with %i standbys keeps %i', (...given) => {
  const [partitions, processes, standbys, kept] = given

  expect(partitionBudget(200_000, { partitions, processes, standbys })).toBe(kept)
})

it('follows the number of partitions in the topic files', () => {
  const given = {
    CLUSTER_MEMBERS_IN_MEMORY: '1200',
    CLUSTER_TEXTS_IN_MEMORY: '600',
    DETECTED_ARTICLES_IN_MEMORY: '2400',
  }
  const budgets = (more: Readonly<Record<string, string>>) =>
    stateBudgets(loadConfig({ STORY_HOME: '/nowhere', ...given, ...more }))

  expect(budgets({})).toMatchObject({ clustered: 1_200, texts: 600, detected: 2_400, changed: 1_200 })
  expect(budgets({ TOPIC_PARTITIONS: 'production' })).toEqual({
    ...{
      clustered: 100,
      texts: 50,
      enriched: 100,
      linked: 100,
      transitioned: 100,
      detected: 200,
      matched: 100,
      changed: 100,
    },
  })
  expect(budgets({ TOPIC_PARTITIONS: 'production', STAGE_PROCESSES: '6' })).toMatchObject({ linked: 300 })
})
