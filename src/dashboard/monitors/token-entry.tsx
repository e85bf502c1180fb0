import { useRef, useState } from 'preact/hooks'
import { enteredValues, type NamedCode } from './codes.ts'
import { describing, Entry, type FormState, type ListField } from './entries.tsx'

interface TokenEntryProperties {
  readonly state: FormState
  readonly field: ListField
  readonly label: string
  readonly help: string
  /** The values that are allowed, if they are codes. */
  readonly codes?: readonly NamedCode[]
}

/** A list of values: each is added with Enter, with a comma between codes, or when the field is left. */
export function TokenEntry(properties: TokenEntryProperties) {
  const { state, field, label, help, codes } = properties
  const [text, setText] = useState('')
  const [unknown, setUnknown] = useState<string | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const values = state.form[field]
  const error = unknown ?? state.errors[field]
  const add = (): void => {
    const { added, rest } = enteredValues(text, codes)
    setText(rest)
    setUnknown(rest === '' ? undefined : `Not known: ${rest}`)
    if (added.length > 0) state.change({ [field]: [...new Set([...values, ...added])] })
  }
  const remove = (value: string): void => {
    state.change({ [field]: values.filter((one) => one !== value) })
    input.current?.focus()
  }
  return (
    <Entry id={field} label={label} help={help} error={error}>
      <div class="beside-field">
        <input
          {...describing(field, { hasHelp: true, error })}
          ref={input}
          list={codes === undefined ? undefined : `${field}-codes`}
          autocomplete="off"
          maxLength={200}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text.trim() === '') return
            event.preventDefault() // does not save the form
            add()
          }}
        />
        <button type="button" onClick={add}>
          Add<span class="unseen"> to {label}</span>
        </button>
      </div>
      {codes !== undefined && <Codes id={`${field}-codes`} codes={codes} />}
      <Tokens label={label} values={values} codes={codes} remove={remove} />
    </Entry>
  )
}

const Codes = ({ id, codes }: { readonly id: string; readonly codes: readonly NamedCode[] }) => (
  <datalist id={id}>
    {codes.map(([code, name]) => (
      <option key={code} value={name}>
        {code}
      </option>
    ))}
  </datalist>
)

interface TokensProperties {
  readonly label: string
  readonly values: readonly string[]
  readonly codes: readonly NamedCode[] | undefined
  readonly remove: (value: string) => void
}

function Tokens({ label, values, codes, remove }: TokensProperties) {
  const nameOf = (value: string): string => codes?.find(([code]) => code === value)?.[1] ?? value
  if (values.length === 0) return null
  return (
    <ul class="tokens" aria-label={`Values of ${label}`}>
      {values.map((value) => (
        <li key={value}>
          <bdi>{nameOf(value)}</bdi>
          <button type="button" class="plain" onClick={() => remove(value)}>
            <span aria-hidden="true">×</span>
            <span class="unseen">
              Remove {nameOf(value)} from {label}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
