import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectPath } from '../../src/config/project-path.ts'
import { asJsonl, datedSample } from '../pipeline/dated-sample.ts'

const MAIN = projectPath('dist/main.js')

/** Articles of one namespace that are imported together; the next come once these are stories. */
export interface WorkChunk {
  readonly name: string
  readonly namespace: string
  readonly jsonl: string
  readonly articles: number
}

/** Articles of the shipped sample. */
export const SAMPLE = 340

/** The dated sample, over and over, each time in a namespace of its own, in chunks of so many. */
export function* chunks(articles: number, size: number): Generator<WorkChunk> {
  const sample = datedSample(SAMPLE)
  for (let from = 0; from < articles;) {
    const round = Math.floor(from / SAMPLE)
    const to = Math.min(from + size, articles, (round + 1) * SAMPLE)
    const some = sample.slice(from - round * SAMPLE, to - round * SAMPLE)
    yield {
      name: `chunk-${from}.jsonl`,
      namespace: `chaos-${round + 1}`,
      jsonl: asJsonl(some),
      articles: some.length,
    }
    from = to
  }
}

/** The CLI as a person would call it. */
export const story = (environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> =>
  storyWithin(0, environment, args)

/** The same, ended after so many milliseconds; 0: never. */
async function storyWithin(limitMs: number, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const options = { env, maxBuffer: 1e8, timeout: limitMs }
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], options)
  return stdout
}

/**
 * Imports until it says that every article can be read; how often it had to be asked again. An import that takes longer
 * than a limit is ended and asked again.
 */
export async function importChunk(
  { name, namespace, jsonl }: WorkChunk,
  environment: NodeJS.ProcessEnv,
  limitMs = 0,
): Promise<number> {
  const file = join(environment['STORY_HOME'] ?? '', name)
  writeFileSync(file, jsonl)
  const args = ['import', 'jsonl', file, '--namespace', namespace, '--wait', '--json']
  const ask = () => storyWithin(limitMs, environment, args)
  for (let again = 0; ; again++) {
    const failure = await ask().then(
      () => null,
      (cause: unknown) => cause,
    )
    if (failure === null) return again
    if (again === 20) throw new Error(`${name} cannot be imported`, { cause: failure })
  }
}
