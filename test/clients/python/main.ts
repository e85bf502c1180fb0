import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { projectPath } from '../../../src/config/project-path.ts'
import { GOOD, type CaseFacts } from '../../pipeline/service/contract-cases.ts'
import { fillForContract } from '../../pipeline/service/contract-service.ts'
import { ALL_RIGHTS, privateKey, startStory, stopAllStories, storyAt, type StoryAddress } from '../../pipeline/story.ts'
import { virtualEnvironment } from './virtual-environment.ts'

const GENERATOR = 'openapi-python-client==0.29.1'
const NAMESPACE = 'python-client'
/** The generated package has the title of the document as its name. */
const PACKAGE = 'story_intelligence_service_client'

/** Fails on any warning: a warning means that an operation or a type was dropped. */
function generate(bin: string, folder: string): void {
  const options = ['--path', projectPath('docs/openapi.json'), '--output-path', folder, '--fail-on-warning']
  execFileSync(join(bin, 'openapi-python-client'), ['generate', ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }, // it formats with the `ruff` beside it
  })
}

/** The good calls of the contract test, in the document's order: what deletes a thing comes last. */
const callsOf = ({ url, key }: StoryAddress, facts: CaseFacts) => ({
  url,
  key,
  calls: Object.entries(GOOD).flatMap(([operation, callsFor]) =>
    [callsFor(facts)].flat().map((call) => ({ operation, ...call })),
  ),
})

async function main(folder: string): Promise<void> {
  const bin = virtualEnvironment(GENERATOR, 'openapi-python-client')
  const client = join(folder, 'client')
  generate(bin, client)
  const check = [projectPath('test/clients/python/check.py'), client, PACKAGE]
  execFileSync(join(bin, 'python'), check, { stdio: 'inherit' }) // fails early: imports only

  const calls = join(folder, 'calls.json')
  const started = await startStory()
  const story = storyAt({ ...started, key: await privateKey(started, NAMESPACE, ALL_RIGHTS) })
  const { facts } = await fillForContract(story, NAMESPACE)
  await writeFile(calls, JSON.stringify(callsOf(story, facts)))
  execFileSync(join(bin, 'python'), [...check, calls], { stdio: 'inherit' })
}

const folder = await mkdtemp(join(tmpdir(), 'story-python-'))
try {
  await main(folder)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 1
} finally {
  await stopAllStories()
  await rm(folder, { recursive: true, force: true })
}
