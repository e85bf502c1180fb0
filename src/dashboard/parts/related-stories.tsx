import { useAnswer } from '../state/answer.ts'
import { asOf, link } from '../state/place.ts'
import { bodyOf, type DashboardAsk } from '../state/service.ts'
import { percent } from '../words/format.ts'
import { relationOf, uniqueStories, type RelatedStory } from '../words/relation.ts'
import { Shown } from './states.tsx'

const SHOWN = 5
/** More than are shown, since several ids may resolve to one story after merges. */
const MAX_LOOKUPS = 3 * SHOWN

/** Stories that are related to this one in the story graph. */
export function Related({ id }: { readonly id: string }) {
  const as_of = asOf()
  const reply = useAnswer({ name: `related ${id} ${as_of ?? ''}`, ask: relatedStories(id, as_of) })
  return (
    <section>
      <h2>Related stories</h2>
      <Shown reply={reply} what="related stories">
        {(found) =>
          found.length === 0 ? (
            <p class="quiet">No related stories.</p>
          ) : (
            <ul class="related">
              {found.map((one) => (
                <li key={one.id}>
                  <a href={link('stories', one.id)}>{one.title}</a>
                  <small>
                    {one.why} Confidence: {percent(one.relationship.confidence)}.
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

/** The graph contains only ids: titles are read for the relationships with the highest confidence. */
const relatedStories =
  (cluster_id: string, as_of: string | undefined): DashboardAsk<readonly RelatedStory[]> =>
  async (api, signal) => {
    const query = as_of === undefined ? {} : { as_of }
    const params = { path: { cluster_id }, query }
    const path = '/layer3/v1/graph/cluster/{cluster_id}/relationships'
    const { relationships } = bodyOf(await api.GET(path, { params, signal }))
    const nearest = relationships.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_LOOKUPS)
    const found = await Promise.all(
      nearest.map(async (relationship) => {
        const id = relationship.source === cluster_id ? relationship.target : relationship.source
        const request = { params: { path: { cluster_id: id }, query }, signal }
        const { data } = await api.GET('/v1/clusters/{cluster_id}', request)
        const named = Object.values(data?.entities ?? {}).flat()
        const names = new Map(named.map(({ id, name }) => [id, name]))
        const why = relationOf(relationship, cluster_id, names)
        return { relationship, why, id: data?.id ?? id, title: data?.title ?? id }
      }),
    )
    return uniqueStories(found, cluster_id).slice(0, SHOWN)
  }
