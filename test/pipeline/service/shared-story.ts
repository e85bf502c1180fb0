import { inject } from 'vitest'
import { ALL_RIGHTS, privateKey, storyAt, type StoryService, type StoryAddress } from '../story.ts'

async function address(): Promise<StoryAddress> {
  const response = await fetch(inject('serviceStarter'))
  const answer = (await response.json()) as StoryAddress | { readonly failed: string }
  if ('failed' in answer) throw new Error(`the shared service does not start: ${answer.failed}`)
  return answer
}

/** The service that all files of the project `service` share, with its demo key to `shared`. */
export const serviceStory = async (): Promise<StoryService> => storyAt(await address())

/**
 * The same service with an enterprise key of a private namespace: what a file imports, submits and corrects there, no other file
 * sees. A command of the CLI still needs `--namespace`.
 */
export async function sharedStory(namespace: string): Promise<StoryService> {
  const shared = await address()
  const key = await privateKey(storyAt(shared), namespace, ALL_RIGHTS)
  return storyAt({ ...shared, key })
}
