import type { Config } from './config.ts'
import { projectPath } from './project-path.ts'
import { readTopicFiles, topicSpecs } from './topics.ts'

/** How the partitions of a stage are assigned. */
interface PartitionSpread {
  readonly partitions: number
  /** Fewest processes of the stage that run at any time. */
  readonly processes: number
  /** Processes that keep the state of a partition beside its owner. */
  readonly standbys: number
}

/**
 * The part of a process's budget that one partition may use: the budget divided by the most partitions of which one
 * process keeps the state, as owner or standby. It does not depend on the current assignment, so the same log gives the
 * same state in any process.
 */
export function partitionBudget(processBudget: number, { partitions, processes, standbys }: PartitionSpread): number {
  const kept = Math.ceil(partitions / processes) + Math.ceil((partitions * standbys) / processes)
  return Math.max(1, Math.floor(processBudget / Math.min(partitions, kept)))
}

type BudgetConfig = Pick<Config, 'clustered' | 'detected' | 'stages' | 'topics' | 'standbyReplicas'>

/** What one partition of each stateful stage may keep, in articles; for `texts`, in texts. */
export function stateBudgets({ clustered, detected, stages, topics, standbyReplicas: standbys }: BudgetConfig) {
  const specs = topicSpecs(readTopicFiles(projectPath('topics')), topics.partitions)
  const share = (stage: string, processBudget: number): number => {
    const changelog = specs.find(({ name }) => name === `${stage}.memory`)
    if (changelog === undefined) throw new Error(`topics/${stage}.memory.yaml is missing`)
    return partitionBudget(processBudget, { partitions: changelog.partitions, processes: stages.processes, standbys })
  }
  const { membersInMemory, textsInMemory } = clustered
  return {
    clustered: share('clustered', membersInMemory),
    texts: share('clustered', textsInMemory),
    enriched: share('enriched', membersInMemory),
    linked: share('linked', membersInMemory),
    transitioned: share('transitioned', membersInMemory),
    detected: share('detected', detected.articlesInMemory),
    matched: share('matched', membersInMemory),
    changed: share('changed', membersInMemory),
  } as const
}
