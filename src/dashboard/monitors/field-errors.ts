import type { MonitorField, MonitorForm } from './monitor-form.ts'

interface ApiFieldError {
  readonly path: string
  readonly message: string
}

/** Errors of the API at the fields of the form. */
export interface FormErrors {
  readonly fields: Readonly<Partial<Record<MonitorField, string>>>
  /** By number of the channel to be added. */
  readonly channels: Readonly<Record<number, string>>
  /** Errors that belong to no field. */
  readonly others: readonly string[]
}

export const NO_ERRORS: FormErrors = { fields: {}, channels: {}, others: [] }

const RENAMED: Readonly<Record<string, MonitorField>> = {
  'quiet_hours.start': 'quiet_start',
  'quiet_hours.end': 'quiet_end',
  quiet_hours: 'quiet_start',
}

/** Assigns each error to its field: `conditions.places[1]` to the countries, `quiet_hours.end` to its own field. */
export function formErrors(errors: readonly ApiFieldError[], form: MonitorForm): FormErrors {
  return errors.reduce((found, error) => withError(found, error, form), NO_ERRORS)
}

function withError(found: FormErrors, { path, message }: ApiFieldError, form: MonitorForm): FormErrors {
  const channel = /^channels\[(\d+)\]/.exec(path)?.[1]
  if (channel !== undefined) return { ...found, channels: { ...found.channels, [Number(channel)]: message } }
  const field = fieldOf(path, form)
  if (field === null) return { ...found, others: [...found.others, otherText({ path, message })] }
  const text = [found.fields[field], itemText(path, form[field]) + message].filter((one) => one !== undefined)
  return { ...found, fields: { ...found.fields, [field]: text.join('; ') } }
}

function fieldOf(path: string, form: MonitorForm): MonitorField | null {
  const name = path.replace(/^conditions\./, '').replace(/\[\d+\].*$/, '')
  const renamed = RENAMED[name] ?? name
  return isField(renamed, form) ? renamed : null
}

const isField = (name: string, form: MonitorForm): name is MonitorField => Object.hasOwn(form, name)

/** The item of a list that is wrong. */
function itemText(path: string, value: string | readonly string[]): string {
  const at = /\[(\d+)\]/.exec(path)?.[1]
  const item = at === undefined || typeof value === 'string' ? undefined : value[Number(at)]
  return item === undefined ? '' : `${item}: `
}

const otherText = ({ path, message }: ApiFieldError): string =>
  path === 'conditions' || path === 'body' ? capitalised(message) : `${path}: ${message}`

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
