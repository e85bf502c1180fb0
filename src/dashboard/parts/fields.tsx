import { useRef } from 'preact/hooks'
import { choose, parameter } from '../state/place.ts'

interface ChoiceProperties {
  /** The parameter of the address. */
  readonly name: string
  readonly label: string
  /** Value and text. The first is the default. */
  readonly choices: readonly (readonly [value: string, text: string])[]
}

/** A choice, stored in the address. */
export function Choice({ name, label, choices }: ChoiceProperties) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={parameter(name, choices[0]?.[0])}
        onChange={(event) => choose({ [name]: event.currentTarget.value })}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

interface SearchFieldProperties {
  readonly name: string
  readonly label: string
  readonly placeholder: string
}

/** The search starts after a pause of this length in typing. */
const PAUSE_MS = 350

/** A search field, stored in the address. */
export function SearchField({ name, label, placeholder }: SearchFieldProperties) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = (words: string, ms: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => choose({ [name]: words.trim() }, 'slide'), ms)
  }
  return (
    <form
      role="search"
      class="field words"
      onSubmit={(event) => {
        event.preventDefault()
        search(event.currentTarget.querySelector('input')?.value ?? '', 0)
      }}
    >
      <label>
        <span>{label}</span>
        <input
          type="search"
          placeholder={placeholder}
          maxLength={200}
          defaultValue={parameter(name)}
          onInput={(event) => search(event.currentTarget.value, PAUSE_MS)}
        />
      </label>
    </form>
  )
}

export const WINDOWS = [
  ['24h', '24 hours'],
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const
