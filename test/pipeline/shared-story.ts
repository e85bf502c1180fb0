import { inject } from 'vitest'
import { privateKey, storyAt, type Story } from './story.ts'

/** The service that all files of the project `service` share, with its demo key to `shared`. */
export const serviceStory = (): Story => storyAt(inject('service'))

/**
 * The same service with an enterprise key of a private namespace: what a file imports, submits and corrects there, no other file
 * sees. A command of the CLI still needs `--namespace`.
 */
export async function sharedStory(namespace: string): Promise<Story> {
  const key = await privateKey(serviceStory(), namespace)
  return storyAt({ ...inject('service'), key })
}
