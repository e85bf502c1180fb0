import type { TargetFacts } from '../../views/echo/targets.ts'

export type Priority = 'high' | 'medium' | 'low'

/** A story that is looked for, and with what words. */
export interface StoryTarget extends TargetFacts {
  readonly namespace: string
  readonly priority: Priority
  /** What identifies it in a search: names first, then words of the title. */
  readonly terms: readonly string[]
}
