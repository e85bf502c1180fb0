import { useState } from 'preact/hooks'
import { enter, keyRefused } from '../state/session.ts'

/** Asks for the key. It stays in this tab. */
export function KeyForm() {
  const [given, setGiven] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    if (given.trim() !== '') enter(given.trim())
  }
  return (
    <main class="entrance">
      <form onSubmit={submit}>
        <h1>Story Intelligence</h1>
        <p>Which stories there are, who tells them independently, and why each article belongs to its story.</p>
        <label for="key">Your API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="pk_live_…"
          value={given}
          aria-describedby="key-note"
          aria-invalid={keyRefused.value !== ''}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
        {keyRefused.value !== '' && (
          <p class="bad" role="alert">
            {keyRefused.value}
          </p>
        )}
        <button type="submit">Look at the stories</button>
        <p id="key-note" class="quiet">
          <code>make run</code> printed a demo key; it also stands in <code>.story/secrets.json</code> (
          <code>demo_key</code>). Other keys are made with <code>npx story keys create --tier professional</code>. The
          key is kept in this tab until you close it, and goes nowhere but to this service.
        </p>
      </form>
    </main>
  )
}
