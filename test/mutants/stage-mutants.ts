import type { Mutant } from './mutant.ts'

const RUN_STAGE = 'src/runtime/run-stage.ts'
const GUARANTEES = 'src/runtime/guarantees.test.ts'
const DEATHS = 'no event is lost, and none becomes another one, when the process dies between'

/** Mistakes in the loop under stages and views: order of the steps, retries, dead letters, stale batches. */
export const stageMutants: readonly Mutant[] = [
  {
    name: 'commit-before-produce',
    file: RUN_STAGE,
    find: `  await part.insist('produce', async () => {`,
    replace: `  await part.commit()\n  await part.insist('produce', async () => {`,
    caughtBy: { file: GUARANTEES, test: DEATHS },
  },
  {
    name: 'commit-before-dead-letter',
    file: RUN_STAGE,
    find: `  await part.insist('set aside', async () => {`,
    replace: `  await part.commit()\n  await part.insist('set aside', async () => {`,
    caughtBy: { file: GUARANTEES, test: DEATHS },
  },
  {
    name: 'produce-not-awaited',
    file: RUN_STAGE,
    find: `      await running.log.produce(records)`,
    replace: `      running.log.produce(records).catch(() => undefined)`,
    caughtBy: { file: GUARANTEES, test: 'waits for a log that does not take records' },
  },
  {
    name: 'dead-letter-on-transient-error',
    file: RUN_STAGE,
    find: `  const outcomes = await stage.handle(read.map(({ input }) => input))`,
    replace: `  const outcomes = await stage.handle(read.map(({ input }) => input)).catch((cause) => read.map(() => ({ kind: 'reject', reason: 'threw', cause })))`,
    caughtBy: { file: GUARANTEES, test: 'never dead-letters because something is away' },
  },
  {
    name: 'fewer-outcomes-than-inputs-are-taken',
    file: RUN_STAGE,
    find: `  if (outcomes.length !== read.length) {`,
    replace: `  if (false) {`,
    caughtBy: { file: GUARANTEES, test: 'tries again when a stage gives another number of outcomes' },
  },
  {
    name: 'produce-what-another-has-taken-over',
    file: RUN_STAGE,
    find: `      await part.ours()\n      await running.log.produce(records)`,
    replace: `      await running.log.produce(records)`,
    caughtBy: { file: GUARANTEES, test: 'writes nothing of a batch whose partition was taken away' },
  },
  {
    name: 'flood-seen-after-the-harm',
    file: RUN_STAGE,
    find: `  gate.check(outcomes)\n`,
    replace: ``,
    caughtBy: { file: GUARANTEES, test: 'stops a stage that refuses nearly everything' },
  },
  {
    name: 'outputs-out-of-order',
    file: 'src/runtime/outcomes.ts',
    find: `of inputs.read.entries()) {`,
    replace: `of [...inputs.read.entries()].reverse()) {`,
    caughtBy: { file: 'src/runtime/handbook.test.ts', test: 'the handbook 1. decide' },
  },
  {
    name: 'bad-bytes-passed-over-in-silence',
    file: 'src/runtime/read-inputs.ts',
    find: `    else malformed.push({ record, reason: decoded.reason, cause: decoded.cause })`,
    replace: ``,
    caughtBy: { file: GUARANTEES, test: 'sets bytes that are no event aside' },
  },
  {
    name: 'ids-from-the-clock',
    file: 'src/runtime/read-inputs.ts',
    find: '`${partition}:${offset}`) }',
    replace: '`${partition}:${offset}:${performance.now()}`) }',
    caughtBy: { file: GUARANTEES, test: 'gives an event that came without an id its place' },
  },
  {
    name: 'dead-letter-without-its-bytes',
    file: 'src/runtime/dead-letter.ts',
    find: `    value: record.value,
    headers: {
      ...record.headers,`,
    replace: `    value: null,
    headers: {
      ...record.headers,`,
    caughtBy: { file: 'src/runtime/handbook.test.ts', test: 'the handbook 3. reject' },
  },
  {
    name: 'commit-one-further',
    file: 'src/runtime/consume-parts.ts',
    find: `  const next = isEnd ? batch.end : last.offset + 1`,
    replace: `  const next = isEnd ? batch.end : last.offset + 2`,
    caughtBy: { file: GUARANTEES, test: 'goes on with the very next event' },
  },
  {
    name: 'retry-gives-up',
    file: 'src/runtime/retry.ts',
    find: `      failures += 1`,
    replace: `      failures += 1\n      if (failures === 3) return undefined as never`,
    caughtBy: { file: GUARANTEES, test: 'never dead-letters because something is away' },
  },
  {
    name: 'retry-without-backing-off',
    file: 'src/runtime/retry.ts',
    find: `  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1))`,
    replace: `  const most = Math.min(longestBackoffMs, firstBackoffMs)`,
    caughtBy: { file: 'src/runtime/retry.test.ts', test: 'doubles the longest wait' },
  },
  {
    name: 'no-heartbeat-while-backing-off',
    file: 'src/runtime/retry.ts',
    find: `    if (!(await how.stillOurs())) throw new Stale('the partition was revoked while waiting')`,
    replace: ``,
    caughtBy: { file: 'src/runtime/retry.test.ts', test: 'keeps the membership alive' },
  },
  {
    name: 'crashes-not-counted',
    file: 'src/runtime/crash-guard.ts',
    find: `note: noteOf({ crashes: crashes + 1, until, controls }),`,
    replace: `note: noteOf({ crashes, until, controls }),`,
    caughtBy: { file: GUARANTEES, test: 'sets a message aside that killed the process' },
  },
  {
    name: 'blame-without-a-control',
    file: 'src/runtime/consume-parts.ts',
    find: `if (suspect !== null) {`,
    replace: `if (suspect !== null && Date.now() === 0) {`,
    caughtBy: {
      file: 'src/runtime/guarantees.test.ts',
      test: 'sets no message aside if the process dies at its first decision',
    },
  },
  {
    name: 'deadly-message-dropped',
    file: 'src/runtime/outcomes.ts',
    find: `  malformed: records.map((record) => ({ record, reason: 'process_crashed' })),`,
    replace: `  malformed: [],`,
    caughtBy: { file: GUARANTEES, test: 'sets a message aside that killed the process' },
  },
  {
    name: 'note-behind-what-was-read',
    file: 'src/runtime/crash-guard.ts',
    find: `    return at > known.at ? { at, crashes: 0, until: known.until, controls: 0 } : known`,
    replace: `    return known`,
    caughtBy: { file: 'src/runtime/in-log-order.test.ts', test: 'notes what is in hand never behind' },
  },
  {
    name: 'stop-leaves-what-is-in-hand',
    file: 'src/runtime/retry.ts',
    find: `    if (failures > 0 && how.signal.aborted)`,
    replace: `    if (how.signal.aborted)`,
    caughtBy: { file: GUARANTEES, test: 'finishes what is in hand when stopped' },
  },
  {
    name: 'view-commits-before-insert',
    file: 'src/runtime/run-view.ts',
    find: `  // 2. Insert, one insert a table.`,
    replace: `  await part.commit()`,
    caughtBy: { file: 'src/runtime/run-view.test.ts', test: 'does not commit before the store has the rows' },
  },
  {
    name: 'view-passes-over-a-store-that-is-away',
    file: 'src/runtime/run-view.ts',
    find: `() => target.store.insert(table, rows)`,
    replace: `() => target.store.insert(table, rows).catch(() => undefined)`,
    caughtBy: { file: 'src/runtime/run-view.test.ts', test: 'waits for a store that is away' },
  },
  {
    name: 'view-projects-parts-beside-each-other',
    file: 'src/runtime/run-view.ts',
    find: `const result = last.then(work)`,
    replace: `const result = work()`,
    caughtBy: { file: 'src/runtime/run-view.test.ts', test: 'leaves out only the record that kills the process' },
  },
  {
    name: 'view-retries-with-the-rows-of-others',
    file: 'src/runtime/run-view.ts',
    find: `attempts++ === 0 && shared`,
    replace: `attempts++ >= 0 && shared`,
    caughtBy: { file: 'src/runtime/run-view.test.ts', test: 'continues with other partitions while the store rejects' },
  },
]
