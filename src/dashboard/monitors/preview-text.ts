import { count, counted } from '../words/format.ts'
import type { ConditionsPreview, PreviewDay } from './answers.ts'

type Totals = Pick<ConditionsPreview, 'total' | 'truncated' | 'days'>

/** `123 stories in the last 30 days, about 4 a day.` */
export function previewText({ total, truncated, days }: Totals): string {
  const span = `in the last ${counted(days.length, 'day')}`
  if (total === 0) return `No story ${span} meets these conditions.`
  const amount = `${truncated ? 'At least ' : ''}${counted(total, 'story', 'stories')}`
  return `${amount} ${span}, about ${rateText(total / Math.max(1, days.length))}.`
}

/** `4 a day`, or `one in 5 days` below one a day. */
function rateText(perDay: number): string {
  if (perDay >= 0.75) return `${count(Math.round(perDay))} a day`
  return `one in ${Math.round(1 / perDay)} days`
}

/** The highest number of stories of a day, at least 1. */
export const highestOf = (days: readonly PreviewDay[]): number => Math.max(1, ...days.map(({ stories }) => stories))
