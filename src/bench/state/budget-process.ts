import { loadConfig } from '../../config/config.ts'
import { projectPath } from '../../config/project-path.ts'
import { readTopicFiles, topicSpecs } from '../../config/topics.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { clusteredParts } from '../../wiring/stages.ts'
import { BudgetArguments, type BudgetLine } from './budget.ts'
import { readBases } from './bases-file.ts'
import { inputOf } from './decide.ts'
import { ownMemory, printLine } from './program.ts'
import { stateWorld } from './world.ts'

/** Articles of each partition between two lines. */
const EVERY = 1_000

/**
 * The clusterer with all partitions of its topic, each with a world of its own. Argument: `BudgetArguments` as JSON. Prints a
 * `BudgetLine` per line.
 */
const { bases, articles, environment } = BudgetArguments.parse(JSON.parse(process.argv[2] ?? '{}'))
const config = loadConfig(environment)
const stage = clustered(clusteredParts({ config }))
const topics = topicSpecs(readTopicFiles(projectPath('topics')), config.topics.partitions)
const partitions = topics.find(({ name }) => name === stage.memory.changelog.name)?.partitions ?? 1
const each = Math.ceil(articles / partitions)
const world = stateWorld(readBases(bases), each)
const states = Array.from({ length: partitions }, () => stage.memory.empty())
for (let offset = 0; offset < each; offset++) {
  for (const [partition, state] of states.entries()) {
    const { remember } = stage.decide(state, inputOf(world, offset)) // an input of its own, so that partitions share no object
    states[partition] = remember.reduce((changed, entry) => stage.memory.evolve(changed, entry), state)
  }
  if ((offset + 1) % EVERY === 0 || offset + 1 === each) print((offset + 1) * partitions)
}

function print(decided: number): void {
  const in_memory = states.reduce((sum, { size }) => sum + size, 0)
  const line: BudgetLine = { partitions, decided, in_memory, ...ownMemory() }
  printLine(line)
}
