import { ownCpuMs } from '../processes.ts'
import { median } from '../rounds.ts'
import { inputsBetween, quarter, stateAt, type DecideOptions, type DecideState } from './decide.ts'

/** Medians of the CPU time of a decision, milliseconds. */
export interface DecisionsInTurn {
  readonly all: number
  readonly quarter: number
}

/** Decisions of one state before the other one's turn: some seconds, in which the load of the machine changes little. */
const IN_A_ROW = 100

/**
 * Decisions beside all articles and beside the first quarter of them, in turn, each about the articles that follow. The
 * states do not change.
 */
export async function decisionsInTurn(
  options: Pick<DecideOptions, 'stage' | 'codec' | 'folder' | 'world' | 'articles'>,
  { state, quarterBytes }: { readonly state: DecideState; readonly quarterBytes: number },
): Promise<DecisionsInTurn> {
  const { stage, world, articles } = options
  const states = [
    { state, from: articles, took: [] as number[] },
    { state: await stateAt(quarterBytes, options), from: quarter(articles), took: [] as number[] },
  ] as const
  const samples = world.articles - articles
  for (let i = 0; i < samples; i += IN_A_ROW) {
    for (const { state: before, from, took } of states) {
      for (const input of inputsBetween(world, from + i, from + Math.min(samples, i + IN_A_ROW))) {
        const start = ownCpuMs()
        stage.decide(before, input)
        took.push(ownCpuMs() - start)
      }
    }
  }
  return { all: median(states[0].took), quarter: median(states[1].took) }
}
