import { parentPort } from 'node:worker_threads'
import { answerJobs } from '../../src/adapters/worker-pool.ts'

/** A thread whose jobs name what happens. */
const JOBS: Readonly<Record<string, () => unknown>> = {
  hang: () => {
    for (;;);
  },
  exit: () => process.exit(3),
  throw: () => {
    throw new Error('thrown')
  },
  memory: () => {
    const all: number[][] = []
    for (;;) all.push(new Array<number>(1_000_000).fill(all.length))
  },
}

if (parentPort !== null) answerJobs(parentPort, (job) => JOBS[String(job)]?.() ?? job)
