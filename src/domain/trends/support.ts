/** What a velocity needs behind it to be taken as it is. */
export const FULL_SUPPORT = { mentions: 10, origins: 3, days_of_history: 3 } as const

export interface Support {
  /** Independent sources of what is counted. */
  readonly origins: number
  /** Days that the baseline knows it from. */
  readonly days_of_history: number
}

/** Whether too little stands behind a velocity to trust it. */
export const hasLowSupport = ({ origins, days_of_history }: Support): boolean =>
  origins < FULL_SUPPORT.origins || days_of_history < FULL_SUPPORT.days_of_history
