import type { ComponentChildren } from 'preact'
import type { FormErrors } from './field-errors.ts'
import type { MonitorField, MonitorForm } from './monitor-form.ts'

/** The state of the form that its fields show and change. */
export interface FormState {
  readonly form: MonitorForm
  readonly errors: FormErrors['fields']
  readonly change: (changed: Partial<MonitorForm>) => void
}

/** Fields of the form with text. */
export type TextField = {
  [Field in MonitorField]: MonitorForm[Field] extends string ? Field : never
}[MonitorField]

/** Fields of the form with several values. */
export type ListField = Exclude<MonitorField, TextField>

interface EntryProperties {
  readonly id: string
  readonly label: string
  readonly help?: ComponentChildren
  readonly error?: string | undefined
  readonly children: ComponentChildren
}

/** A labelled field with its help text and its error. */
export const Entry = ({ id, label, help, error, children }: EntryProperties) => (
  <div class="entry">
    <label for={id}>{label}</label>
    {children}
    {help !== undefined && <small id={`${id}-help`}>{help}</small>}
    <ErrorText id={id} error={error} />
  </div>
)

interface ErrorTextProperties {
  readonly id: string
  readonly error: string | undefined
}

export const ErrorText = ({ id, error }: ErrorTextProperties) =>
  error === undefined ? null : (
    <p class="bad" id={`${id}-error`}>
      {error}
    </p>
  )

interface Described {
  readonly hasHelp: boolean
  readonly error: string | undefined
}

/** Connects a field with its help text and its error. */
export const describing = (id: string, { hasHelp, error }: Described) => ({
  id,
  'aria-invalid': error !== undefined,
  'aria-describedby':
    [hasHelp ? `${id}-help` : '', error === undefined ? '' : `${id}-error`].join(' ').trim() || undefined,
})

interface InputLimits {
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
  readonly maxLength?: number
  readonly required?: boolean
  /** The id of a `datalist`. */
  readonly list?: string
}

interface TextEntryProperties {
  readonly state: FormState
  readonly field: TextField
  readonly label: string
  readonly help?: ComponentChildren
  readonly type?: 'text' | 'number' | 'time'
  readonly limits?: InputLimits
}

export function TextEntry({ state, field, label, help, type = 'text', limits = {} }: TextEntryProperties) {
  const { form, errors, change } = state
  const error = errors[field]
  return (
    <Entry id={field} label={label} help={help} error={error}>
      <input
        {...describing(field, { hasHelp: help !== undefined, error })}
        {...limits}
        type={type}
        autocomplete="off"
        value={form[field]}
        onInput={(event) => change({ [field]: event.currentTarget.value })}
      />
    </Entry>
  )
}

interface BoxesProperties {
  readonly state: FormState
  readonly field: ListField
  readonly label: string
  readonly values: readonly string[]
}

/** A group of check boxes. */
export function Boxes({ state: { form, errors, change }, field, label, values }: BoxesProperties) {
  const chosen = form[field]
  const toggle = (value: string): void =>
    change({ [field]: chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value] })
  return (
    <fieldset aria-describedby={errors[field] === undefined ? undefined : `${field}-error`}>
      <legend>{label}</legend>
      <div class="boxes">
        {values.map((value) => (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} /> {value}
          </label>
        ))}
      </div>
      <ErrorText id={field} error={errors[field]} />
    </fieldset>
  )
}
