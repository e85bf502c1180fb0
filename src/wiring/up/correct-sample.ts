import { z } from 'zod'
import { SHARED } from '../../domain/intake/articles.ts'
import { canonicalUrl } from '../../events/canonical-url.ts'
import { articleId } from '../../events/ids.ts'
import type { SampleCorrection } from '../../sources/sample/timeline.ts'
import { askCli, type Cli } from './service.ts'
import { untilAccepted } from './steps.ts'

const CreatedKey = z.object({ key: z.string(), id: z.string() })
const ClusterList = z.object({ clusters: z.array(z.object({ id: z.string(), articles: z.array(z.string()) })) })

/**
 * Requests the corrections of the sample as a curator would: through the API, with a key of its own that is revoked
 * afterwards. A correction of articles that are in one story already is left out.
 */
export async function correctSample(cli: Cli, url: string, corrections: readonly SampleCorrection[]): Promise<void> {
  const create = [
    'keys',
    'create',
    '--tier',
    'professional',
    '--curator',
    '--name',
    'sample',
    '--expires',
    '1d',
    '--json',
  ]
  const { key, id } = CreatedKey.parse(JSON.parse(await askCli(cli, create)))
  try {
    await untilAccepted(url, key)
    const stories = ClusterList.parse(await answer(`${url}/v1/clusters?time_range=30d&limit=100`, key)).clusters
    const storyOf = (address: string): string => {
      const article = articleId(SHARED, canonicalUrl(address), '')
      const story = stories.find(({ articles }) => articles.includes(article))
      if (story === undefined) throw new Error(`no story has the article ${address}`)
      return story.id
    }
    for (const { action, article, other, reason } of corrections) {
      const [own, other_cluster_id] = [storyOf(article), storyOf(other)]
      if (own === other_cluster_id) continue
      await answer(`${url}/v1/clusters/${own}/corrections`, key, { action, other_cluster_id, reason })
    }
  } finally {
    await askCli(cli, ['keys', 'revoke', id, '--json'])
  }
}

async function answer(address: string, key: string, body?: object): Promise<unknown> {
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${new URL(address).pathname}: HTTP ${response.status}: ${text}`)
  return JSON.parse(text)
}
