import type { components } from '../../../sdk/src/index.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { ago, counted, decimal, feeling, hostOf, percent, safeAddress } from '../words/format.ts'
import { now } from '../clock.ts'
import { Shown } from './states.tsx'

type PartEnrichment = components['schemas']['Enrichment']

const NAMES: Readonly<Record<PartEnrichment['platform'], string>> = {
  reddit: 'Reddit',
  bluesky: 'Bluesky',
  twitter: 'X',
}

/** How the public received the story, with the posts that say so. */
export function Echo({ id }: { readonly id: string }) {
  const as_of = asOf()
  const reply = useAnswer({
    name: `echo ${id} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const query = { ids: id, ...(as_of === undefined ? {} : { as_of }) }
      const { missing, ...found } = bodyOf(await api.GET('/echo/v1/echo/stories', { params: { query }, signal }))
      return missing.includes(id) ? [] : Object.values(found).flat()
    },
  })
  return (
    <section>
      <h2>What the public says</h2>
      <Shown reply={reply} what="what the public says">
        {(enrichments) =>
          enrichments.length === 0 ? (
            <p class="quiet">Nobody was found speaking of it.</p>
          ) : (
            <>
              {enrichments.map((one) => (
                <Platform key={one.platform} enrichment={one} />
              ))}
            </>
          )
        }
      </Shown>
    </section>
  )
}

function Platform({ enrichment }: { readonly enrichment: PartEnrichment }) {
  const { platform, sample, sentiment_score, controversy_score, dominant_themes, source_status } = enrichment
  return (
    <div class="echo">
      <h3>
        {NAMES[platform]}{' '}
        <small>
          {counted(sample.posts, 'post')} by {counted(sample.authors, 'author')}, {ago(enrichment.updated_at, now())}
          {source_status !== 'live' && `, ${source_status}`}
        </small>
      </h3>
      <p class="facts">
        <span class={feeling(sentiment_score)}>
          {feeling(sentiment_score)} ({decimal(sentiment_score)})
        </span>
        <span>{percent(controversy_score)} contested</span>
        {dominant_themes.length > 0 && <span>about {dominant_themes.join(', ')}</span>}
      </p>
      <CounterNarrative enrichment={enrichment} />
      <Novel enrichment={enrichment} />
      <Posts label="Threads" urls={enrichment.thread_urls} />
    </div>
  )
}

function CounterNarrative({ enrichment }: { readonly enrichment: PartEnrichment }) {
  const { counter_narrative_detected, counter_narrative_summary, counter_narrative_confidence, evidence } = enrichment
  if (!counter_narrative_detected) return null
  return (
    <div class="counter">
      <b>Another version is told</b> ({percent(counter_narrative_confidence)} sure)
      {counter_narrative_summary !== null && <q>{counter_narrative_summary}</q>}
      <Posts label="Posts" urls={evidence.counter_narrative} />
    </div>
  )
}

const SHOWN = 5

function Novel({ enrichment: { novel_entities, evidence } }: { readonly enrichment: PartEnrichment }) {
  if (novel_entities.length === 0) return null
  return (
    <>
      <p>Names that only the public brings up:</p>
      <ul class="novel">
        {novel_entities.slice(0, SHOWN).map((name) => (
          <li key={name}>
            {name} <Posts label="" urls={evidence.novel_entities[name] ?? []} />
          </li>
        ))}
      </ul>
    </>
  )
}

const Posts = ({ label, urls }: { readonly label: string; readonly urls: readonly string[] }) =>
  urls.length === 0 ? null : (
    <span class="posts">
      {label}
      {urls.slice(0, SHOWN).map((url, i) => (
        <a key={url} href={safeAddress(url) ?? '#'} target="_blank" rel="noopener noreferrer" title={url}>
          {hostOf(url)} {i + 1}
        </a>
      ))}
    </span>
  )
