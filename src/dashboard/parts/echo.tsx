import { PLATFORM_TITLES } from '../../../sdk/src/index.ts'
import { useGet } from '../state/answer.ts'
import { asOf } from '../state/place.ts'
import { ago, counted, decimal, feeling, hostOf, percent, safeAddress } from '../words/format.ts'
import { now } from '../clock.ts'
import { Shown } from './states.tsx'
import type { ApiSchemas } from '../words/schemas.ts'

/** The public response to the story, with the posts it is based on. */
export function Echo({ id }: { readonly id: string }) {
  const reply = useGet('/echo/v1/echo/stories', { ids: id, as_of: asOf() })
  return (
    <section>
      <h2>Public response</h2>
      <Shown reply={reply} what="the public response">
        {({ missing, ...found }) =>
          missing.includes(id) || Object.values(found).flat().length === 0 ? (
            <p class="quiet">No public posts found.</p>
          ) : (
            <>
              {Object.values(found)
                .flat()
                .map((one) => (
                  <Platform key={one.platform} enrichment={one} />
                ))}
            </>
          )
        }
      </Shown>
    </section>
  )
}

function Platform({ enrichment }: { readonly enrichment: ApiSchemas['Enrichment'] }) {
  const { platform, sample, sentiment_score, controversy_score, dominant_themes, source_status } = enrichment
  return (
    <div class="echo">
      <h3>
        {PLATFORM_TITLES[platform]}{' '}
        <small>
          {counted(sample.posts, 'post')} by {counted(sample.authors, 'author')}, {ago(enrichment.updated_at, now())}
          {source_status !== 'live' && `, ${source_status}`}
        </small>
      </h3>
      <p class="facts">
        <span class={feeling(sentiment_score)}>
          {feeling(sentiment_score)} ({decimal(sentiment_score)})
        </span>
        <span>{percent(controversy_score)} controversy</span>
        {dominant_themes.length > 0 && <span>topics: {dominant_themes.join(', ')}</span>}
      </p>
      <CounterNarrative enrichment={enrichment} />
      <Novel enrichment={enrichment} />
      <Posts label="Threads" urls={enrichment.thread_urls} />
    </div>
  )
}

function CounterNarrative({ enrichment }: { readonly enrichment: ApiSchemas['Enrichment'] }) {
  const { counter_narrative_detected, counter_narrative_summary, counter_narrative_confidence, evidence } = enrichment
  if (!counter_narrative_detected) return null
  return (
    <div class="counter">
      <b>Counter-narrative</b> ({percent(counter_narrative_confidence)} confidence)
      {counter_narrative_summary !== null && <q>{counter_narrative_summary}</q>}
      <Posts label="Posts" urls={evidence.counter_narrative} />
    </div>
  )
}

const SHOWN = 5

function Novel({ enrichment: { novel_entities, evidence } }: { readonly enrichment: ApiSchemas['Enrichment'] }) {
  if (novel_entities.length === 0) return null
  return (
    <>
      <p>Entities mentioned only in public posts:</p>
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
