const ORIGINS = 3
const DAYS = 3

export interface Support {
  /** Independent accounts of what is counted. */
  readonly origins: number
  /** Days that the baseline knows it from. */
  readonly days_of_history: number
}

/** Whether too little stands behind a velocity to trust it. */
export const hasLowSupport = ({ origins, days_of_history }: Support): boolean =>
  origins < ORIGINS || days_of_history < DAYS
