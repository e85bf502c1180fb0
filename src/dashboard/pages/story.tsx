import { EvolutionPlot } from '../parts/evolution-plot.tsx'
import { Echo } from '../parts/echo.tsx'
import { Members, Sources } from '../parts/members.tsx'
import { Related } from '../parts/related-stories.tsx'
import { Shown } from '../parts/states.tsx'
import { Independence, Lifecycle, Named, Outlet, Settled, Tone } from '../parts/story-parts.tsx'
import { useSpanOf } from '../parts/time-travel.tsx'
import { useGet } from '../state/answer.ts'
import { news } from '../state/live.ts'
import { asOf, link, address, useTitle } from '../state/place.ts'
import { count, counted, country, hostOf, momentOf, movedArticles, percent, titled } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

interface StoryProperties {
  readonly story: ApiSchemas['ClusterDetail']
}

/** One story: its independent sources, their reprints, and why each article is included. */
export function StoryPage() {
  const { id } = address.value
  const turn = news.value.get(id)?.lines ?? 0
  const reply = useGet('/v1/clusters/{cluster_id}', { cluster_id: id, as_of: asOf() }, { turn })
  useTitle(reply.kind === 'known' ? reply.value.title : 'Story')
  return (
    <Shown reply={reply} what="the story">
      {(story) => <Whole story={story} />}
    </Shown>
  )
}

function Whole({ story }: StoryProperties) {
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
          <History story={story} />
        </aside>
      </div>
    </article>
  )
}

function Head({ story }: StoryProperties) {
  const { article_count, origin_count, publisher_count, source_count } = story
  return (
    <header class="story-head">
      <p class="quiet">
        <a href={link('stories')}>Stories</a> · {momentOf(story.created_at)} to {momentOf(story.updated_at)}
      </p>
      <h1>{titled(story.title)}</h1>
      <p class="facts">
        <StoryState story={story} />
        <Independence story={story} />
        <span>{counted(source_count, 'outlet')}</span>
        <span>{counted(publisher_count, 'publisher')}</span>
        <span title="Mean similarity to the centroid; each independent source counts once">
          {percent(story.confidence)} similar
        </span>
        <Settled {...story} />
        {story.membership === 'provisional' && (
          <span title="Assigned as articles arrived; settled by the daily evaluation">provisional</span>
        )}
        {story.geographic_spread.slice(0, 4).map((code) => (
          <span key={code}>{country(code)}</span>
        ))}
      </p>
      {typeof story.subject_id === 'string' && <SubjectOf id={story.subject_id} />}
      <p class="verdict">{independenceText(article_count, origin_count)}</p>
      <Sources story={story} />
      <Tone shares={story.sentiment_distribution} />
      {story.merged_into !== null && (
        <p class="notice">
          The requested story was merged into this one{story.merged_at !== null && ` on ${momentOf(story.merged_at)}`}.
        </p>
      )}
    </header>
  )
}

function independenceText(articles: number, origins: number): string {
  if (articles === 1) return 'One article so far.'
  if (origins === articles) return `All ${count(articles)} articles are independent.`
  return `${count(articles)} articles from ${counted(origins, 'independent source')}; the others are reprints, translations, derived texts or articles of the same publisher.`
}

/** The lifecycle state, which only the list of stories contains. */
function StoryState({ story: { id, title, article_count } }: StoryProperties) {
  const topic = title.slice(0, 200)
  const query = { topic, min_articles: 1, limit: 20, time_range: '30d', as_of: asOf() }
  const reply = useGet('/v1/stories', query, { turn: article_count, isNeeded: topic.trim() !== '' })
  const listed = reply.kind === 'known' ? reply.value.stories.find((one) => one.id === id) : undefined
  if (listed === undefined) return null
  return (
    <>
      <Lifecycle {...listed} />
      <span class="unseen">, because {listed.lifecycle_reason?.text}</span>
    </>
  )
}

/** A link to the subject of a story, of which the story contains only the id. */
function SubjectOf({ id }: { readonly id: string }) {
  const reply = useGet('/v1/clusters/{cluster_id}', { cluster_id: id, as_of: asOf() })
  return (
    <p class="part-of">
      Part of the subject <a href={link('subjects', id)}>{reply.kind === 'known' ? reply.value.title : '…'}</a>
    </p>
  )
}

/** Quotations from the articles, each with its source. */
function Summary({ story: { summary, members } }: StoryProperties) {
  if (summary.length === 0) return null
  const byId = new Map(members.map((member) => [member.article_id, member]))
  return (
    <section>
      <h2>Key sentences</h2>
      <ul class="summary">
        {summary.map(({ sentence, article_id, sentence_index, dates = [] }) => {
          const member = byId.get(article_id)
          const outlet = member?.source ?? (member?.url ? hostOf(member.url) : 'an article')
          return (
            <li key={`${article_id} ${sentence_index}`}>
              <q>{sentence}</q> <Days dates={dates} />
              <Outlet name={outlet} url={member?.url ?? null} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The dates that a sentence refers to: "Tuesday: 2018-10-02". */
function Days({ dates }: { readonly dates: NonNullable<ApiSchemas['ClusterDetail']['summary'][number]['dates']> }) {
  if (dates.length === 0) return null
  return <small>({dates.map(({ text, start }) => `${text}: ${start}`).join(', ')}) </small>
}

const HISTORY: Readonly<Record<string, (event: StoryProperties['story']['history'][number]) => string>> = {
  opened: () => 'The story opened',
  merged: ({ direction, articles }) =>
    direction === 'out'
      ? 'Merged into another story'
      : `Another story was merged into this one, with ${counted(articles, 'article')}`,
  split: ({ direction, articles }) =>
    direction === 'out'
      ? `${counted(articles, 'article')} split off into another story`
      : 'Split off from another story',
  moved: (event) => `${movedArticles(event)} moved ${event.direction === 'out' ? 'to another story' : 'to this story'}`,
  corrected: (event) =>
    `A curator moved ${movedArticles(event)} ${event.direction === 'out' ? 'to another story' : 'to this story'}`,
}

/** Merges, splits, moves and corrections. */
function History({ story: { id, history } }: StoryProperties) {
  const reply = useGet('/v1/clusters/{cluster_id}/corrections', { cluster_id: id, as_of: asOf() })
  const corrections = reply.kind === 'known' ? reply.value.corrections : []
  return (
    <section>
      <h2>History</h2>
      <ol class="ledger">
        {history.map((event) => (
          <li key={`${event.at} ${event.type} ${event.other_cluster_id ?? ''}`}>
            <time dateTime={event.at}>{momentOf(event.at)}</time> {HISTORY[event.type]?.(event) ?? event.type}
            {event.other_cluster_id !== null && <a href={link('stories', event.other_cluster_id)}> (open it)</a>}
          </li>
        ))}
        {corrections.map(({ correction_id, action, requested_at, status, reason }) => (
          <li key={correction_id}>
            <time dateTime={requested_at}>{momentOf(requested_at)}</time> Curator request: {action.replace('_', ' ')} (
            {status}){reason !== null && `: ${reason}`}
          </li>
        ))}
      </ol>
    </section>
  )
}
