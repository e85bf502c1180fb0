import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
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
import { Help } from './parts/help.tsx'
import { KeyForm } from './parts/key-form.tsx'
import { Notice } from './parts/notice.tsx'
import type { PageName } from './state/address.ts'
import { place } from './state/place.ts'
import { key } from './state/session.ts'

type DashboardPage = ComponentType

const LISTS: Readonly<Record<PageName, DashboardPage>> = {
  stories: StoriesPage,
  subjects: SubjectsPage,
  entities: EntitiesPage,
  trends: TrendsPage,
  search: SearchPage,
  health: HealthPage,
}
const ONES: Readonly<Partial<Record<PageName, DashboardPage>>> = {
  stories: StoryPage,
  subjects: SubjectPage,
  entities: EntityPage,
}

/** The page that the address names; without a key, what asks for one. */
export function Dashboard() {
  const { page, id } = place.value
  const main = useRef<HTMLElement>(null)
  const where = `${page}/${id}`
  const before = useRef(where)
  useEffect(() => {
    if (before.current === where) return
    before.current = where
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true }) // who reads with the ears hears that this is another page
  }, [where])
  if (key.value === '') return <KeyForm />

  const Shown = (id === '' ? undefined : ONES[page]) ?? LISTS[page]
  return (
    <>
      <a class="skip" href={location.hash} onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <Header />
      <main ref={main} tabIndex={-1}>
        <Notice />
        <Shown key={where} />
      </main>
      <Help />
    </>
  )
}

function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}
