import type { AnalysisTools as Analyzed } from './language/analysis/analyse.ts'
import type { ChangedDependencies as Changed } from './stages/changed/stage.ts'
import type { ClusteredDependencies as Clustered } from './stages/clustered/stage.ts'
import type { Dispatching } from './stages/delivered/effect.ts'
import type { DeliveredDependencies as Delivered } from './stages/delivered/stage.ts'
import type { DetectedDependencies as Detected } from './stages/detected/stage.ts'
import type { EnrichedDependencies as Enriched } from './stages/enriched/stage.ts'
import type { LinkedDependencies as Linked } from './stages/linked/stage.ts'
import type { ScoredDependencies as Scored } from './stages/scored/stage.ts'
import type { TransitionedDependencies as Transitioned } from './stages/transitioned/stage.ts'

/** What each stage is made with; asked for when it starts, so that a process loads only the models it uses. */
export interface StageNeeds {
  scored(): Promise<Scored>
  analyzed(): Promise<Analyzed>
  clustered(): Promise<Clustered>
  enriched(): Promise<Enriched>
  linked(): Promise<Linked>
  transitioned(): Promise<Transitioned>
  detected(): Promise<Detected>
  changed(): Promise<Changed>
  delivered(): Promise<Delivered>
  /** Of the effect of that name. */
  dispatching(): Promise<Dispatching>
}
