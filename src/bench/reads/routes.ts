import { z } from 'zod'
import type { ReadsAnswer } from './reads-api.ts'

/** Paths to read, by the route whose times they are counted in. */
export type ReadPaths = Readonly<Record<string, readonly string[]>>

/** How often each list is read: pages of different sizes, so that no two requests are equal. */
const SIZES = [20, 19, 18, 17, 16]
const sized = (...paths: readonly string[]): readonly string[] =>
  SIZES.flatMap((limit) => paths.map((path) => `${path}&limit=${limit}`))

export const searchPaths = (queries: readonly string[], level: 'article' | 'token'): ReadPaths => ({
  [`/layer0/v1/search?level=${level}`]: queries.map(
    (text) => `/layer0/v1/search?query=${encodeURIComponent(text)}&level=${level}&limit=10`,
  ),
})

/** The longest window of `/v1/trends` is a week. */
export const listPaths = (window: '24h' | '30d'): ReadPaths => ({
  '/v1/clusters': sized(
    ...['relevance', 'recency', 'coverage'].map((sort) => `/v1/clusters?time_range=${window}&sort=${sort}`),
    `/v1/clusters?time_range=${window}&topic=Trump`,
    `/v1/clusters?time_range=${window}&membership=settled&min_sources=2`,
  ),
  '/v1/stories': sized(
    `/v1/stories?time_range=${window}`,
    `/v1/stories?time_range=${window}&sort=coverage`,
    `/v1/stories?time_range=${window}&lifecycle_state=developing`,
  ),
  '/v1/entities': sized(
    `/v1/entities?time_range=${window}`,
    `/v1/entities?time_range=${window}&type=PERSON`,
    `/v1/entities?time_range=${window}&query=tru`,
  ),
  '/v1/trends': sized(
    `/v1/trends?time_range=${window === '30d' ? '7d' : window}`,
    `/v1/trends?time_range=${window === '30d' ? '7d' : window}&category=politics`,
  ),
})

/** Lists as of a point in time in the past (milliseconds since 1970), which are computed from facts. */
export const pastPaths = (as_of: number): ReadPaths => {
  const at = `time_range=24h&as_of=${new Date(as_of).toISOString()}`
  return {
    '/v1/clusters?as_of': sized(`/v1/clusters?${at}`),
    '/v1/stories?as_of': sized(`/v1/stories?${at}`),
    '/v1/entities?as_of': sized(`/v1/entities?${at}`),
  }
}

const Clusters = z.object({ clusters: z.array(z.object({ id: z.string(), articles: z.array(z.string()) })) })
const Entities = z.object({ entities: z.array(z.object({ id: z.string(), name: z.string() })) })

/** Details of the first stories, articles and entities of the lists of a day; rare and frequent entities. */
export async function detailPaths(get: (path: string) => Promise<ReadsAnswer>): Promise<ReadPaths> {
  const { clusters } = Clusters.parse((await get('/v1/clusters?time_range=24h&limit=20')).body)
  const frequent = Entities.parse((await get('/v1/entities?time_range=24h&limit=5')).body)
  const rare = Entities.parse((await get('/v1/entities?time_range=24h&limit=5&offset=5000')).body)
  const entities = [...frequent.entities, ...rare.entities].map(({ id }) => id)
  const articles = clusters.flatMap((cluster) => cluster.articles.slice(0, 1))
  const ofStories = (path: (id: string) => string): readonly string[] => clusters.map(({ id }) => path(id))
  const ofEntities = (path: (id: string) => string): readonly string[] => entities.map(path)
  return {
    '/v1/clusters/{id}': ofStories((id) => `/v1/clusters/${id}`),
    '/v1/story/{id}': ofStories((id) => `/v1/story/${id}`),
    '/v1/clusters/{id}/evolution': ofStories((id) => `/v1/clusters/${id}/evolution`),
    '/layer0/v1/article/{id}': articles.map((id) => `/layer0/v1/article/${id}`),
    '/v1/articles': sized('/v1/articles?time_range=24h', '/v1/articles?time_range=30d'),
    '/v1/entities/{id}': ofEntities((id) => `/v1/entities/${id}`),
    '/v1/entities/{id}/timeline': ofEntities((id) => `/v1/entities/${id}/timeline?time_range=30d`),
    '/v1/entities/{id}/sentiment': ofEntities((id) => `/v1/entities/${id}/sentiment?time_range=30d`),
    '/v1/relationships': ofEntities((id) => `/v1/relationships?entity=${id}`),
    '/v1/trends/entities': sized('/v1/trends/entities?min_velocity=0', '/v1/trends/entities?min_velocity=1.5'),
  }
}
