import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startStory, stopAllStories, type OwnStory } from './pipeline/story.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A request to this URL starts the shared service, if it does not run yet, and answers its `StoryAddress`. */
    serviceStarter: string
  }
}

/**
 * One whole service for all files of the project `service`; each of them works in namespaces of its own. The first file that
 * needs it starts it: the files of the other projects do not pay for a service that waits.
 */
export default async function startForTests(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<OwnStory> | undefined
  const starter = createServer((_, response) => {
    response.flushHeaders() // a client waits five minutes for headers
    starting ??= startStory()
    starting.then(
      ({ url, key, home }) => response.end(JSON.stringify({ url, key, home })),
      (cause: unknown) => response.end(JSON.stringify({ failed: String(cause) })),
    )
  })
  await once(starter.listen(0, '127.0.0.1'), 'listening')
  project.provide('serviceStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`)
  return async () => {
    starter.close()
    await starting?.catch(() => undefined) // one that is still starting is stopped too
    await stopAllStories()
  }
}
