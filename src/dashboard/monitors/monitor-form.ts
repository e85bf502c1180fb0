import type { ShownChannelType, SendingTimes, ShownConditions, ShownMonitor } from './answers.ts'

/** The fields of the form of a monitor, as they are entered. */
export interface MonitorForm {
  readonly name: string
  readonly query: string
  readonly entity_ids: readonly string[]
  readonly entity_names: readonly string[]
  readonly places: readonly string[]
  readonly categories: readonly string[]
  readonly languages: readonly string[]
  readonly sources: readonly string[]
  readonly lifecycle_states: readonly string[]
  readonly min_origins: string
  readonly min_velocity: string
  readonly min_sentiment: string
  readonly max_sentiment: string
  readonly quiet_start: string
  readonly quiet_end: string
  readonly digest_at: string
  readonly time_zone: string
  readonly max_per_day: string
}

export type MonitorField = keyof MonitorForm

/** A channel to be added. */
export interface ChannelTarget {
  readonly type: ShownChannelType
  /** A URL or an e-mail address. */
  readonly target: string
}

export const NO_CONDITIONS: ShownConditions = {
  query: '',
  entity_ids: [],
  entity_names: [],
  places: [],
  categories: [],
  languages: [],
  sources: [],
  lifecycle_states: [],
  min_origins: null,
  min_velocity: null,
  min_sentiment: null,
  max_sentiment: null,
}

/** An empty form. The time zone is that of the browser, or UTC if that is an offset, which the API does not accept. */
export const emptyForm = (timeZone: string): MonitorForm =>
  formOf({
    name: '',
    conditions: NO_CONDITIONS,
    quiet_hours: null,
    digest_at: null,
    time_zone: /^[A-Za-z]/.test(timeZone) ? timeZone : 'UTC',
    max_per_day: 50,
  })

/** The form of an existing monitor. */
export function formOf(monitor: Pick<ShownMonitor, 'name' | 'conditions' | keyof SendingTimes>): MonitorForm {
  const { name, conditions, quiet_hours, digest_at, time_zone, max_per_day } = monitor
  const { min_origins, min_velocity, min_sentiment, max_sentiment, ...texts } = conditions
  return {
    name,
    ...texts,
    min_origins: amountText(min_origins),
    min_velocity: amountText(min_velocity),
    min_sentiment: amountText(min_sentiment),
    max_sentiment: amountText(max_sentiment),
    quiet_start: quiet_hours?.start ?? '',
    quiet_end: quiet_hours?.end ?? '',
    digest_at: digest_at ?? '',
    time_zone,
    max_per_day: String(max_per_day),
  }
}

export interface MonitorBody {
  readonly name: string
  readonly conditions: ShownConditions
  readonly quiet_hours: { readonly start: string; readonly end: string } | null
  readonly digest_at: string | null
  readonly time_zone: string
  readonly max_per_day: number | null
}

/** The request body of the form. Incomplete values are sent as they are: the API names what is missing. */
export function bodyOfForm(form: MonitorForm): MonitorBody {
  const { name, quiet_start, quiet_end, digest_at, time_zone, max_per_day } = form
  return {
    name: name.trim(),
    conditions: conditionsOf(form),
    quiet_hours: quiet_start === '' && quiet_end === '' ? null : { start: quiet_start, end: quiet_end },
    digest_at: digest_at === '' ? null : digest_at,
    time_zone: time_zone.trim(),
    max_per_day: amount(max_per_day),
  }
}

export function conditionsOf(form: MonitorForm): ShownConditions {
  return {
    query: form.query.trim(),
    entity_ids: form.entity_ids,
    entity_names: form.entity_names,
    places: form.places,
    categories: form.categories,
    languages: form.languages,
    sources: form.sources,
    lifecycle_states: form.lifecycle_states,
    min_origins: amount(form.min_origins),
    min_velocity: amount(form.min_velocity),
    min_sentiment: amount(form.min_sentiment),
    max_sentiment: amount(form.max_sentiment),
  }
}

/** Whether there is a condition, which the API requires. */
export const hasConditions = (conditions: ShownConditions): boolean =>
  Object.values<unknown>({ ...conditions }).some((value) => value !== null && value !== '' && !isEmptyList(value))

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** The body that adds a channel. */
export const channelBody = ({ type, target }: ChannelTarget) =>
  type === 'email' ? { type, address: target.trim() } : { type, url: target.trim() }

const amountText = (value: number | null): string => (value === null ? '' : String(value))

const amount = (text: string): number | null => (text.trim() === '' ? null : Number(text))
