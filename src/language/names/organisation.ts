import type { KnownName } from './alias-map.ts'

/** An organisation as an article names it. */
export interface Organisation {
  /** Without article, possessive and company form. */
  readonly name: string
  readonly key: string
  readonly words: readonly string[]
  readonly acronym: boolean
  readonly known: KnownName | undefined
}
