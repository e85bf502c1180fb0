import type { TestProject } from 'vitest/node'
import { startStory, stopAllStories, type StoryAddress } from './pipeline/story.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    service: StoryAddress
  }
}

/** Starts the whole service once for all files of the project `service`; each of them works in namespaces of its own. */
export default async function startForTests(project: TestProject): Promise<() => Promise<void>> {
  const { url, key, home } = await startStory()
  project.provide('service', { url, key, home })
  return stopAllStories
}
