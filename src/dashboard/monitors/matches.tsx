import { useEffect, useRef, useState } from 'preact/hooks'
import { Download } from '../parts/download.tsx'
import { More, Shown } from '../parts/states.tsx'
import { useAnswer } from '../state/answer.ts'
import { parameter } from '../state/place.ts'
import type { MatchPage, ShownMatch } from './answers.ts'
import { pathOf, readMatches } from './requests.ts'
import { StoryLine } from './story-line.tsx'

const PAGE_MATCHES = 20

/** The newest matches of a monitor. */
export function Matches({ id }: { readonly id: string }) {
  const reply = useAnswer({
    name: `matches of ${id}`,
    ask: (_, signal) => readMatches(id, { limit: PAGE_MATCHES, cursor: null }, signal),
  })
  return (
    <section aria-labelledby="matches-title">
      <Title isKnown={reply.kind !== 'pending'} />
      <Shown reply={reply} what="the matches">
        {(first) =>
          first.matches.length === 0 ? (
            <p class="quiet">No story has matched yet. Stories match from the creation of the monitor on.</p>
          ) : (
            <>
              <Download path={`/v1/monitors${pathOf(id)}/matches`} query={{}} list="matches" name="matches" />
              <List id={id} first={first} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

/** Receives the focus if the address asks for the matches. */
function Title({ isKnown }: { readonly isKnown: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  const isRequested = isKnown && parameter('part') === 'matches'
  useEffect(() => {
    if (isRequested) title.current?.focus()
  }, [isRequested])
  return (
    <h2 id="matches-title" ref={title} tabIndex={-1}>
      Newest matches
    </h2>
  )
}

function List({ id, first }: { readonly id: string; readonly first: MatchPage }) {
  const { matches, next } = useMore(id, first)
  return (
    <>
      <ul class="related">
        {matches.map((match) => (
          <StoryLine key={match.id} id={match.story_id} story={match} />
        ))}
      </ul>
      <More what="matches" next={next} />
    </>
  )
}

/** The matches that were read, and a function that reads the next page. */
function useMore(id: string, first: MatchPage): { readonly matches: readonly ShownMatch[]; next: (() => void) | null } {
  const [more, setMore] = useState<readonly MatchPage[]>([])
  const [requested, setRequested] = useState<string | null>(null)
  const reply = useAnswer({
    name: requested === null ? '' : `matches of ${id} after ${requested}`,
    ask: (_, signal) => readMatches(id, { limit: PAGE_MATCHES, cursor: requested }, signal),
  })
  useEffect(() => {
    if (reply.kind !== 'known' || requested === null) return
    setMore((before) => [...before, reply.value])
    setRequested(null)
  }, [reply])
  const { next_cursor: cursor } = more.at(-1) ?? first
  return {
    matches: [first, ...more].flatMap((page) => page.matches),
    next: cursor === null || requested !== null ? null : () => setRequested(cursor),
  }
}
