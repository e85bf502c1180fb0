import { PlainCodec } from '../../adapters/plain-codec.ts'
import { loadConfig } from '../../config/config.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { clusteredParts } from '../../wiring/stages.ts'
import { readBases } from './bases-file.ts'
import { DecideArguments, type DecideLine } from './decider.ts'
import { decideWorld, sampledChoices } from './decide.ts'
import { decisionsInTurn } from './growth.ts'
import { ownMemory, printLine } from './program.ts'
import { stateWorld } from './world.ts'

/**
 * The clusterer alone in a process, so that its memory is its own. Argument: `DecideArguments` as JSON. Prints a
 * `DecideLine` per line.
 */
const { bases, articles, samples, folder, environment } = DecideArguments.parse(JSON.parse(process.argv[2] ?? '{}'))
const print = (line: DecideLine): void => printLine(line)

const stage = clustered(clusteredParts({ config: loadConfig(environment) }))
const world = stateWorld(readBases(bases), articles + samples)
const deciding = { stage, codec: new PlainCodec(), world, articles, folder }
const { state, progress } = await decideWorld({
  ...deciding,
  saveEvery: 80, // about 5,000 articles
  onProgress: (reached) =>
    print({ kind: 'progress', articles: reached.articles, cpuMs: reached.cpuMs, ...ownMemory() }),
})
const memory = ownMemory() // before the samples, which only the bench decides
const choices = sampledChoices(deciding, state)
const { quarterBytes } = progress
const inTurn = quarterBytes === null ? null : await decisionsInTurn(deciding, { state, quarterBytes })
print({ kind: 'done', progress, ...memory, choices, inTurn })
