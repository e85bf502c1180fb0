import { PAGES, type PageName } from '../state/address.ts'
import { conditionOf } from '../state/condition.ts'
import { observed, requestsRunning } from '../state/health.ts'
import { feed } from '../state/live.ts'
import { link, address } from '../state/place.ts'
import { signOut } from '../state/session.ts'
import { theme, nextTheme } from '../state/theme.ts'
import { helpShown } from './help.tsx'
import { TimeTravel } from './time-travel.tsx'

const TITLES: Readonly<Record<PageName, string>> = {
  stories: 'Stories',
  subjects: 'Subjects',
  entities: 'Entities',
  trends: 'Trends',
  search: 'Search',
  health: 'Health',
  monitors: 'Monitors',
}

const FEED = {
  off: { label: 'Not live', title: 'Live updates are not available' },
  live: { label: 'Live', title: 'Changes appear as they happen' },
  past: { label: 'Past', title: 'An earlier point in time is shown' },
} as const

const CONDITIONS = {
  slow: { label: 'Slow', title: 'The service is responding slowly' },
  degraded: { label: 'Degraded', title: 'Part of the service is unavailable. See Health' },
  unreachable: { label: 'Unreachable', title: 'The service cannot be reached' },
} as const

/** The state of the feed, or the condition of the service if that is impaired. */
function badge(): { readonly kind: string; readonly label: string; readonly title: string } {
  const condition = conditionOf(observed.value)
  return condition === 'ok' || feed.value !== 'live'
    ? { kind: feed.value, ...FEED[feed.value] }
    : { kind: 'unwell', ...CONDITIONS[condition] }
}

/** Navigation, time travel and settings. */
export function Header() {
  return (
    <header class="top">
      <a class="brand" href={link('stories')}>
        Story Intelligence
      </a>
      <nav aria-label="Pages">
        {PAGES.map((page) => (
          <a key={page} href={link(page)} aria-current={address.value.page === page ? 'page' : undefined}>
            {TITLES[page]}
          </a>
        ))}
      </nav>
      <div class="tools">
        <Badge />
        <TimeTravel />
        <Settings />
      </div>
    </header>
  )
}

function Badge() {
  const { kind, label, title } = badge()
  return (
    <span class={`feed ${kind}`} title={title} data-busy={requestsRunning.value > 0}>
      <span>{label}</span>
    </span>
  )
}

const Settings = () => (
  <>
    <button type="button" class="plain" onClick={nextTheme} title={`Theme: ${theme.value}`}>
      <span aria-hidden="true">◐</span>
      <span class="unseen">Theme: {theme.value}</span>
    </button>
    <button type="button" class="plain" onClick={() => (helpShown.value = true)} title="Help (?)">
      <span aria-hidden="true">?</span>
      <span class="unseen">Help</span>
    </button>
    <button type="button" class="plain wide" onClick={() => signOut()} title="Remove the API key from this tab">
      Sign out
    </button>
  </>
)
