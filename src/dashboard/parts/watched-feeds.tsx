import { now } from '../clock.ts'
import { useGet } from '../state/answer.ts'
import { ago, count } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'
import { Download } from './download.tsx'
import { Shown, Table } from './states.tsx'

type Feed = ApiSchemas['Feed']

/** The watched feeds and their health, those that need attention first; nothing if the key may not see them. */
export function WatchedFeeds({ turn }: { readonly turn: number }) {
  const reply = useGet('/v1/feeds', { limit: 1_000 }, { turn: Math.floor(turn / 5) })
  if (reply.kind === 'refused' && reply.refusal.kind === 'tier') return null
  return (
    <section>
      <h2>Feeds</h2>
      <Shown reply={reply} what="the feeds">
        {({ feeds }) =>
          feeds.length === 0 ? (
            <p class="quiet">
              No feed is watched. Watch one: <code>story feeds add https://www.example.com/</code>
            </p>
          ) : (
            <Feeds feeds={feeds} />
          )
        }
      </Shown>
    </section>
  )
}

const TROUBLED = ['failing', 'gone']
const isTroubled = ({ health }: Feed): boolean => TROUBLED.includes(health.state)

/** Feeds that stopped come first, then those that never gave a full text. */
const rank = (feed: Feed): number => (isTroubled(feed) ? 2 : Number(feed.health.lacks_full_text))

function Feeds({ feeds }: { readonly feeds: readonly Feed[] }) {
  const troubled = feeds.filter(isTroubled).length
  const lacking = feeds.filter(({ health }) => health.lacks_full_text).length
  return (
    <>
      <p>
        {troubled === 0
          ? `${count(feeds.length)} watched, none failing`
          : `${count(feeds.length)} watched, ${count(troubled)} failing or gone`}
        {lacking === 0 ? '.' : `; ${count(lacking)} never gave a full text.`}{' '}
        <Download path="/v1/feeds" query={{}} list="feeds" name="feeds" />
      </p>
      <Table
        label="Watched feeds"
        columns={['Feed', 'State', 'Last poll', 'New items', 'Full texts', 'Feed texts only', 'Without text']}
        rows={feeds.toSorted((a, b) => rank(b) - rank(a)).map(rowOf)}
      />
      <p class="quiet">Counts of the last seven days.</p>
    </>
  )
}

function rowOf({ url, source, health }: Feed) {
  const { new_items, full_texts, feed_texts, without_text } = health.last_7_days
  return [
    <span title={url}>{source ?? health.title ?? url}</span>,
    health.detail === null ? health.state : `${health.state}: ${health.detail.replaceAll('_', ' ')}`,
    health.polled_at === null ? 'never' : ago(health.polled_at, now()),
    count(new_items),
    health.lacks_full_text ? <strong>none</strong> : count(full_texts),
    ...[feed_texts, without_text].map((value) => count(value)),
  ]
}
