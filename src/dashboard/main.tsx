import { render, type ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import { now } from './clock.ts'
import { EntitiesPage } from './pages/entities.tsx'
import { EntityPage } from './pages/entity.tsx'
import { HealthPage } from './pages/health.tsx'
import { SearchPage } from './pages/search.tsx'
import { StoriesPage } from './pages/stories.tsx'
import { StoryPage } from './pages/story.tsx'
import { SubjectPage } from './pages/subject.tsx'
import { SubjectsPage } from './pages/subjects.tsx'
import { TrendsPage } from './pages/trends.tsx'
import { Header } from './parts/header.tsx'
import { Help, listenToKeys } from './parts/help.tsx'
import { onDemand } from './parts/on-demand.tsx'
import type { PageName } from './state/address.ts'
import { conditionOf, conditionText } from './state/condition.ts'
import { followTheHealth, observed, sampleAt } from './state/health.ts'
import { followTheFeed } from './state/live.ts'
import { address } from './state/place.ts'
import { pausedUntil } from './state/service.ts'
import { signIn, key, keyRefused } from './state/session.ts'
import { momentOf } from './words/format.ts'

const LISTS: Readonly<Record<PageName, ComponentType>> = {
  stories: StoriesPage,
  subjects: SubjectsPage,
  entities: EntitiesPage,
  trends: TrendsPage,
  search: SearchPage,
  health: HealthPage,
  monitors: onDemand(async () => (await import('./monitors/page.tsx')).MonitorsPage),
}
const DETAILS: Readonly<Partial<Record<PageName, ComponentType>>> = {
  stories: StoryPage,
  subjects: SubjectPage,
  entities: EntityPage,
}

/** The page in the address, or the form for the API key. */
function Dashboard() {
  const { page, id } = address.value
  const main = useRef<HTMLElement>(null)
  const pageKey = `${page}/${id}`
  const before = useRef(pageKey)
  useEffect(() => {
    if (before.current === pageKey) return
    before.current = pageKey
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true }) // lets a screen reader announce the new page
  }, [pageKey])
  if (key.value === '') return <KeyForm />

  const Page = (id === '' ? undefined : DETAILS[page]) ?? LISTS[page]
  return (
    <>
      <a class="skip" href={location.hash} onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <Header />
      <main ref={main} tabIndex={-1}>
        <Notice />
        <SampleNotice />
        <Page key={pageKey} />
      </main>
      <Help />
    </>
  )
}

function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}

/** Asks for the API key. */
function KeyForm() {
  const [given, setGiven] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    if (given.trim() !== '') signIn(given.trim())
  }
  return (
    <main class="entrance">
      <form onSubmit={submit}>
        <h1>Story Intelligence</h1>
        <p>News stories, their independent sources, and the reason why each article belongs to its story.</p>
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
        <button type="submit">Open the dashboard</button>
        <p id="key-note" class="quiet">
          <code>make run</code> prints a demo key and stores it in <code>.story/secrets.json</code> (
          <code>demo_key</code>). Create other keys with <code>npx story keys create --tier professional</code>. The key
          is stored in this tab until you close it and is sent only to this service.
        </p>
      </form>
    </main>
  )
}

/** Shown above every page while the service is impaired or requests are paused. */
function Notice() {
  const seconds = useSecondsUntil(pausedUntil.value)
  const text = conditionText(observed.value)
  if (text !== null) {
    return (
      <p class={conditionOf(observed.value) === 'slow' ? 'notice' : 'notice bad'} role="status">
        {text}
      </p>
    )
  }
  if (seconds <= 0) return null
  return (
    <p class="notice" role="status">
      Rate limit reached. Requests resume in {seconds} s.
    </p>
  )
}

/** Says that the dates of the sample are invented. */
function SampleNotice() {
  if (sampleAt.value === null) return null
  return (
    <p class="sample">
      Sample news: texts of 2004 to 2018 from open corpora. Their dates are invented, relative to{' '}
      {momentOf(sampleAt.value)}; articles of NTREX-128 are translations of one English text each, and posts were
      written for demonstration. Feeds that you watch add real news (<code>npx story feeds add</code>).
    </p>
  )
}

function useSecondsUntil(moment: number): number {
  const left = (): number => Math.ceil((moment - now()) / 1_000)
  const [, redraw] = useState(0)
  useEffect(() => {
    if (left() <= 0) return undefined
    const timer = setInterval(() => redraw((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [moment])
  return left()
}

const root = document.getElementById('dashboard')
if (root === null) throw new Error('the page has no #dashboard element')
followTheFeed()
followTheHealth()
listenToKeys()
render(<Dashboard />, root)
