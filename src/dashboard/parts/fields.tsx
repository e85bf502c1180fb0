import { useRef } from 'preact/hooks'
import { choose, parameter } from '../state/place.ts'

interface ChoiceProperties {
  /** The parameter of the address. */
  readonly name: string
  readonly label: string
  /** Value and text, the first is what holds where nothing is chosen. */
  readonly choices: readonly (readonly [value: string, text: string])[]
}

/** One of several, kept in the address. */
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

interface WordsProperties {
  readonly name: string
  readonly label: string
  readonly placeholder: string
}

/** Typing is over when nothing came for so long. */
const PAUSE_MS = 350

/** Words to search for, kept in the address. */
export function Words({ name, label, placeholder }: WordsProperties) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = (words: string, ms: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => choose({ [name]: words.trim() }, 'slide'), ms)
  }
  return (
    <form
      role="search"
      class="field words"
      onSubmit={(event) => {
        event.preventDefault()
        say(event.currentTarget.querySelector('input')?.value ?? '', 0)
      }}
    >
      <label>
        <span>{label}</span>
        <input
          type="search"
          placeholder={placeholder}
          maxLength={200}
          defaultValue={parameter(name)}
          onInput={(event) => say(event.currentTarget.value, PAUSE_MS)}
        />
      </label>
    </form>
  )
}

export const WINDOWS = [
  ['24h', '24 hours'],
  ['1h', 'an hour'],
  ['6h', '6 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const
