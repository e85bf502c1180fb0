import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { projectPath } from '../../src/project-path.ts'
import { gather, type Facts } from './contract-cases.ts'
import { asJsonl, sampleArticles } from './dated-sample.ts'
import { startStory, type Story } from './story.ts'
import { until } from './until.ts'

export interface ContractService {
  readonly story: Story
  readonly facts: Facts
  readonly keys: { readonly curator: string; readonly starter: string }
}

/** A service with the whole sample and its posts, and one existing thing for every operation that needs one. */
export async function startContractService(): Promise<ContractService> {
  const story = await startStory()
  const sample = join(story.home, 'sample.jsonl')
  await writeFile(sample, asJsonl(sampleArticles(Infinity)))
  await story.cli('import', 'jsonl', sample, '--wait')
  await story.cli('import', 'posts', projectPath('samples/posts/demonstration.jsonl'), '--wait')
  const keys = {
    curator: await createKey(story, '--tier', 'enterprise', '--curator'),
    starter: await createKey(story, '--tier', 'starter'),
  }
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(story.url + path, {
      ...init,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.curator}` },
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const facts = await gather({
    ...story,
    get: async (path) => await request(path, {}),
    post: async (path, body) => await request(path, { method: 'POST', body: JSON.stringify(body) }),
  })
  return { story, facts, keys }
}

async function createKey(story: Story, ...options: string[]): Promise<string> {
  const { key } = z
    .object({ key: z.string() })
    .parse(JSON.parse(await story.cli('keys', 'create', '--json', ...options)))
  await until('the key is known', async () => {
    const response = await fetch(`${story.url}/v1/quality`, { headers: { authorization: `Bearer ${key}` } })
    await response.body?.cancel()
    return response.status === 401 ? null : true
  })
  return key
}
