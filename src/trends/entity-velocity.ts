/** Ingestion days before the latest one that make the baseline. */
export const PRIOR_DAYS = 7

/** What is known of an entity from the ingestion days before the latest one, at most seven. */
export interface History {
  /** On all of them together. */
  readonly mentions: number
  /** How many days there are: fewer than seven where the namespace has fewer. */
  readonly days: number
  /** On how many of them it was named. */
  readonly days_of_history: number
}

export interface EntityVelocity {
  /** Multiple of the baseline; 1 where there is none. */
  readonly velocity: number
  /** Mentions a day, days without one included; 0: it was not named before. */
  readonly baseline: number
  readonly days_of_history: number
}

/** Mentions on the latest ingestion day over their mean on the ingestion days before. */
export function entityVelocity(mentions: number, { mentions: before, days, days_of_history }: History): EntityVelocity {
  if (before === 0) return { velocity: 1, baseline: 0, days_of_history }
  return { velocity: (mentions * days) / before, baseline: before / days, days_of_history }
}
