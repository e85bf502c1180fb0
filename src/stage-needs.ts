import type { Reading as Analyzed } from './language/analysis/analyse.ts'
import type { Dependencies as Changed } from './stages/changed/stage.ts'
import type { Dependencies as Clustered } from './stages/clustered/stage.ts'
import type { Dispatching } from './stages/delivered/effect.ts'
import type { Dependencies as Delivered } from './stages/delivered/stage.ts'
import type { Dependencies as Detected } from './stages/detected/stage.ts'
import type { Dependencies as Enriched } from './stages/enriched/stage.ts'
import type { Dependencies as Linked } from './stages/linked/stage.ts'
import type { Dependencies as Scored } from './stages/scored/stage.ts'
import type { Dependencies as Transitioned } from './stages/transitioned/stage.ts'

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
