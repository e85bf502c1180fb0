import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectPath } from '../../../src/config/project-path.ts'
import { gather, type CaseFacts } from './contract-cases.ts'
import { asJsonl, sampleArticles } from '../dated-sample.ts'
import { privateKey, type StoryService } from '../story.ts'

export interface ContractKeys {
  readonly curator: string
  readonly starter: string
  readonly readOnly: string
}

/**
 * Imports the whole sample and its posts into the private namespace that the key of `story` belongs to (such a key may
 * correct its stories), and finds one existing thing for every operation that needs one.
 */
export async function fillForContract(
  story: StoryService,
  namespace: string,
): Promise<{ readonly facts: CaseFacts; readonly keys: ContractKeys }> {
  const sample = join(story.home, 'contract.jsonl')
  await writeFile(sample, asJsonl(sampleArticles(Infinity)))
  await story.cli('import', 'jsonl', sample, '--namespace', namespace, '--wait')
  const posts = projectPath('samples/posts/demonstration.jsonl')
  await story.cli('import', 'posts', posts, '--namespace', namespace, '--wait')
  const keys = {
    curator: story.key,
    starter: await privateKey(story, namespace, { tier: 'starter' }),
    readOnly: await privateKey(story, namespace, { rights: ['--read-only'] }),
  }
  return { facts: await gather(story), keys }
}
