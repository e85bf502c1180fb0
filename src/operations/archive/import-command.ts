import { kafkaRestorer } from '../../adapters/kafka/producers.ts'
import { type RegistryAccess, registerSchemas } from '../../adapters/registry/register.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { openArchive } from './folder.ts'
import { checkEmpty, registerAll, restore } from './import.ts'
import { saying } from './saying.ts'
import { takingTimes } from './topics.ts'
import { verify } from './verify.ts'

interface ImportCommandOptions {
  readonly json?: true
  readonly dryRun?: true
}

export async function importCommand(
  wiring: Wiring,
  dir: string,
  { json, dryRun }: ImportCommandOptions,
): Promise<void> {
  const { folder, manifest } = openArchive(dir)
  const log = await wiring.log()
  await checkEmpty({ log }, manifest)
  const { records, problems } = verify(folder, manifest, () => undefined)
  if (problems.length > 0) throw new Error(`${dir} is damaged\n${problems.join('\n')}`)

  if (!dryRun) {
    const { kafka, registry } = wiring.config
    const say = saying(wiring, { whole: records, of: 'records' })
    const ports = {
      ...{ log, clock: wiring.clock, folder, onRecords: say.done },
      restorer: (name: string) => kafkaRestorer({ ...kafka, clientId: 'story-archive' }, name),
      register: (topic: string, text: string) => registered(registry, topic, text),
    }
    const ids = await registerAll(ports, manifest)
    const topics = manifest.topics.map(({ topic }) => topic)
    await takingTimes(kafka, topics, () => restore(ports, manifest, ids))
    say.end()
  }
  if (json) wiring.out.json({ dry_run: dryRun === true, topics: manifest.topics.length, records })
  else
    wiring.out.line(
      `${records} records of ${manifest.topics.length} topics ${dryRun ? 'would be imported' : 'are in the log'}`,
    )
}

async function registered(registry: RegistryAccess, topic: string, text: string): Promise<number> {
  const isUnwritten = () => Promise.resolve(false)
  const [done] = await registerSchemas({ ...registry, isUnwritten }, [{ topic, text, history: [] }])
  if (done === undefined) throw new Error(`the registry returned no schema for ${topic}`)
  return done.id
}
