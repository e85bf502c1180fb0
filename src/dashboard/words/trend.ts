import { count, decimal } from './format.ts'

interface Trend {
  readonly velocity: number
  readonly baseline: number
  /** Days before the window on which it was seen; 0: there is nothing to compare it with. */
  readonly days_of_history: number
}

/** `2.5 ×`, or `new` where there is no baseline. */
export const pace = ({ velocity, days_of_history }: Omit<Trend, 'baseline'>): string =>
  days_of_history === 0 ? 'new' : `${velocity < 10 ? decimal(velocity) : count(Math.round(velocity))} ×`

/** `usually 1.25 a day`, or that it was not seen before. */
export const usually = ({ baseline, days_of_history }: Omit<Trend, 'velocity'>, unit = ''): string =>
  days_of_history === 0 ? 'not seen before' : `usually ${decimal(baseline)}${unit}`
