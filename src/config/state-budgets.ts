import type { Config } from './config.ts'
import { projectPath } from './project-path.ts'
import { readTopicFiles, topicSpecs } from './topics.ts'

/** How the partitions of a stage are assigned. */
interface PartitionSpread {
  readonly partitions: number
  /** Fewest processes of the stage that run at any time. */
  readonly processes: number
}

/**
 * The part of a process's budget that one partition may use: the budget divided by the most partitions that one process
 * is assigned. It does not depend on the current assignment, so the same log gives the same state in any process.
 */
export const partitionBudget = (processBudget: number, { partitions, processes }: PartitionSpread): number =>
  Math.max(1, Math.floor(processBudget / Math.ceil(partitions / processes)))

type BudgetConfig = Pick<Config, 'clustered' | 'detected' | 'stages' | 'topics'>

/** What one partition of each stateful stage may keep, in articles; for `texts`, in texts. */
export function stateBudgets({ clustered, detected, stages, topics }: BudgetConfig) {
  const specs = topicSpecs(readTopicFiles(projectPath('topics')), topics.partitions)
  const share = (stage: string, processBudget: number): number => {
    const changelog = specs.find(({ name }) => name === `${stage}.memory`)
    if (changelog === undefined) throw new Error(`topics/${stage}.memory.yaml is missing`)
    return partitionBudget(processBudget, { partitions: changelog.partitions, processes: stages.processes })
  }
  const { membersInMemory, textsInMemory } = clustered
  return {
    clustered: share('clustered', membersInMemory),
    texts: share('clustered', textsInMemory),
    enriched: share('enriched', membersInMemory),
    linked: share('linked', membersInMemory),
    transitioned: share('transitioned', membersInMemory),
    detected: share('detected', detected.articlesInMemory),
    changed: share('changed', membersInMemory),
  } as const
}
