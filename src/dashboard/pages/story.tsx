import { Echo } from '../parts/echo.tsx'
import { EvolutionPlot } from '../parts/evolution-plot.tsx'
import { Ledger } from '../parts/ledger.tsx'
import { Members, Tellers } from '../parts/members.tsx'
import { Named } from '../parts/named-entities.tsx'
import { Related } from '../parts/related-stories.tsx'
import { Shown } from '../parts/states.tsx'
import { Independence, Settled, Tone } from '../parts/story-parts.tsx'
import { StoryState } from '../parts/story-state.tsx'
import { Summary } from '../parts/summary.tsx'
import { SubjectOf } from '../parts/subject-of.tsx'
import { useSpanOf } from '../parts/time-travel.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { news } from '../state/live.ts'
import { asOf, link, place } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { count, counted, country, momentOf, percent } from '../words/format.ts'
import type { DashboardStory } from '../words/story.ts'

/** One story: its independent sources, their copies, and why each article is here. */
export function StoryPage() {
  const { id } = place.value
  const as_of = asOf()
  const heard = news.value.get(id)
  const reply = useAnswer({
    name: `story ${id} ${as_of ?? ''}`,
    turn: heard?.lines ?? 0,
    ask: async (api, signal) => {
      const params = { path: { cluster_id: id }, query: as_of === undefined ? {} : { as_of } }
      return bodyOf(await api.GET('/v1/clusters/{cluster_id}', { params, signal }))
    },
  })
  useTitle(reply.kind === 'known' ? reply.value.title : 'Story')
  return (
    <Shown reply={reply} what="the story">
      {(story) => <Whole story={story} />}
    </Shown>
  )
}

function Whole({ story }: { readonly story: DashboardStory }) {
  useSpanOf(story, 'this story')
  return (
    <article class="story">
      <Head story={story} />
      <div class="columns">
        <div>
          <Summary story={story} />
          <Members story={story} />
        </div>
        <aside aria-label="More about this story">
          <EvolutionPlot story={story} />
          <Named story={story} />
          <Echo id={story.id} />
          <Related id={story.id} />
          <Ledger story={story} />
        </aside>
      </div>
    </article>
  )
}

function Head({ story }: { readonly story: DashboardStory }) {
  const { article_count, origin_count, publisher_count, source_count } = story
  return (
    <header class="story-head">
      <p class="quiet">
        <a href={link('stories')}>Stories</a> · {momentOf(story.created_at)} to {momentOf(story.updated_at)}
      </p>
      <h1>{story.title === '' ? 'Untitled' : story.title}</h1>
      <p class="facts">
        <StoryState story={story} />
        <Independence story={story} />
        <span>{counted(source_count, 'outlet')}</span>
        <span>{counted(publisher_count, 'publisher')}</span>
        <span title="Mean similarity to the centre, each independent account counted once">
          {percent(story.confidence)} alike
        </span>
        <Settled {...story} />
        {story.membership === 'provisional' && (
          <span title="Decided as articles came; settled once all articles of its days were looked at together">
            provisional
          </span>
        )}
        {story.geographic_spread.slice(0, 4).map((code) => (
          <span key={code}>{country(code)}</span>
        ))}
      </p>
      {typeof story.subject_id === 'string' && <SubjectOf id={story.subject_id} />}
      <p class="verdict">{verdict(article_count, origin_count)}</p>
      <Tellers story={story} />
      <Tone shares={story.sentiment_distribution} />
      {story.merged_into !== null && (
        <p class="notice">
          The story you asked for went into this one{story.merged_at !== null && ` on ${momentOf(story.merged_at)}`}.
        </p>
      )}
    </header>
  )
}

function verdict(articles: number, origins: number): string {
  if (articles === 1) return 'One article tells it so far.'
  if (origins === articles) return `All ${count(articles)} articles are independent accounts: nobody repeats another.`
  const repeats = articles - origins
  return `Of ${count(articles)} articles, ${count(origins)} ${origins === 1 ? 'is an independent account' : 'are independent accounts'}; ${count(repeats)} ${repeats === 1 ? 'repeats one or is' : 'repeat one or are'} of the same house.`
}
