import type { Mutant } from './mutant.ts'

const RUN = 'src/runtime/run-memory-stage.ts'
const HELD = 'src/runtime/held-memory.ts'
const ORDER = 'src/runtime/in-log-order.ts'
const GUARANTEES = 'src/runtime/memory-guarantees.test.ts'
const IN_ORDER = 'src/runtime/in-log-order.test.ts'
const LEASE = 'src/runtime/lease.test.ts'
const DEATHS = 'what it remembers after a crash is the fold of its history, and it tells everything once'

/** Mistakes of stages with memory: transactions, fencing, restoring, the one order of their inputs. */
export const memoryMutants: readonly Mutant[] = [
  {
    name: 'outputs-outside-the-transaction',
    file: RUN,
    find: `    else await held.writer.write(written, { group: this.stage.name, next: placesOf(next, part.partition) })`,
    replace: `    else {
      await this.running.log.produce(written)
      await held.writer.write([], { group: this.stage.name, next: placesOf(next, part.partition) })
    }`,
    caughtBy: { file: GUARANTEES, test: DEATHS },
  },
  {
    name: 'offsets-outside-the-transaction',
    file: RUN,
    find: `    else await held.writer.write(written, { group: this.stage.name, next: placesOf(next, part.partition) })`,
    replace: `    else {
      await held.writer.write(written, { group: this.stage.name, next: [] })
      await part.commit()
    }`,
    caughtBy: { file: GUARANTEES, test: DEATHS },
  },
  {
    name: 'retry-after-fencing',
    file: RUN,
    find: `      else await this.forget(part.partition)\n`,
    replace: ``,
    caughtBy: { file: GUARANTEES, test: 'throws its memory away after a failed write' },
  },
  {
    name: 'memory-kept-over-a-rebalance',
    file: RUN,
    find: `    for (const held of this.held.values()) held.unsure = true\n`,
    replace: ``,
    caughtBy: { file: GUARANTEES, test: 'restores a partition that another process had without its notice' },
  },
  {
    name: 'state-discarded-at-each-rebalance',
    file: RUN,
    find: `filter((one) => !partitions.has(one))`,
    replace: `filter(() => true)`,
    caughtBy: { file: GUARANTEES, test: 'keeps the state of a partition that stays' },
  },
  {
    name: 'restore-that-a-revocation-does-not-end',
    file: HELD,
    find: `    onChunk()\n`,
    replace: ``,
    caughtBy: { file: GUARANTEES, test: 'ends a restore when the partition is revoked' },
  },
  {
    name: 'lease-that-the-stage-ignores',
    file: RUN,
    find: `    await leaseEnded(this.stage, part, this.running)\n`,
    replace: ``,
    caughtBy: { file: LEASE, test: 'takes no partition while a lease on it holds' },
  },
  {
    name: 'lease-without-an-end',
    file: 'src/runtime/lease.ts',
    find: `    if (now - renewal.seenAt >= LEASE_MS) return\n`,
    replace: ``,
    caughtBy: { file: LEASE, test: 'waits no longer than a lease lasts after its last renewal' },
  },
  {
    name: 'switch-without-a-lease',
    file: 'src/operations/reprocess/lease.ts',
    find: `    await note(leaseNote(now + LEASE_MS))\n`,
    replace: ``,
    caughtBy: {
      file: 'src/operations/reprocess/busy-stage.test.ts',
      test: 'a switch beside a busy stage ends at the first attempt',
    },
  },
  {
    name: 'missing-seek-on-assignment',
    file: RUN,
    find: `    const fresh = part.records.filter(({ offset }) => offset >= readUpTo)`,
    replace: `    const fresh = part.records`,
    caughtBy: { file: IN_ORDER, test: 'does not decide again what came along' },
  },
  {
    name: 'committed-offset-not-asked-for',
    file: HELD,
    find: `readUpTo.set(name, (await log.committed(stage.name, name))[partition] ?? 0)`,
    replace: `readUpTo.set(name, 0)`,
    caughtBy: { file: IN_ORDER, test: 'goes on in the order of the log after a crash' },
  },
  {
    name: 'restored-without-the-first-entry',
    file: HELD,
    find: `log.read(stage.memory.changelog.name, partition, 0)`,
    replace: `log.read(stage.memory.changelog.name, partition, 1)`,
    caughtBy: { file: GUARANTEES, test: DEATHS },
  },
  {
    name: 'tombstones-not-restored',
    file: HELD,
    find: `    for (const record of records) state =`,
    replace: `    for (const record of records) if (record.value !== null) state =`,
    caughtBy: { file: GUARANTEES, test: 'forgets with a tombstone' },
  },
  {
    name: 'forgotten-without-a-tombstone',
    file: RUN,
    find: `      ...entries.map(async ({ key, value }) => ({`,
    replace: `      ...entries.filter(({ value }) => value !== null).map(async ({ key, value }) => ({`,
    caughtBy: { file: GUARANTEES, test: 'forgets with a tombstone' },
  },
  {
    name: 'decided-with-what-was-remembered-before-the-batch',
    file: HELD,
    find: `        held.state = wrapped(input, () => stage.memory.evolve(held.state, entry))\n`,
    replace: ``,
    caughtBy: { file: GUARANTEES, test: 'decides each input with everything remembered before it' },
  },
  {
    name: 'one-throwing-input-holds-up-the-rest-for-ever',
    file: RUN,
    find: `>= this.running.limits.throws`,
    replace: `>= Infinity`,
    caughtBy: { file: GUARANTEES, test: 'sets aside what is no event, what it refuses' },
  },
  {
    name: 'memory-lies-where-its-key-says',
    file: RUN,
    find: `        // state updates go to the same partition of the changelog, whatever their keys
        partition,`,
    replace: ``,
    caughtBy: { file: 'src/runtime/writes-by-key.test.ts', test: 'a stage that writes by key' },
  },
  {
    name: 'output-leaves-its-partition',
    file: RUN,
    find: `        ...(writesByKey === true ? {} : { partition }),`,
    replace: ``,
    caughtBy: { file: IN_ORDER, test: 'writes what it tells into the partition it was told in' },
  },
  {
    name: 'topics-read-in-the-order-of-delivery',
    file: ORDER,
    find: `      if (head === null || !isEarlier([head.loggedAt, ahead.index], [best.loggedAt, rank])) continue`,
    replace: `      if (head !== null || head === null) continue`,
    caughtBy: { file: IN_ORDER, test: 'decides in the order of the log' },
  },
  {
    name: 'not-waited-until-the-log-has-settled',
    file: ORDER,
    find: `    if (young > 0) await clock.sleep(young)`,
    replace: ``,
    caughtBy: { file: IN_ORDER, test: 'waits until what was logged just before can be read' },
  },
  {
    name: 'read-ahead-twice',
    file: ORDER,
    find: `    const next = Math.max(from, (ahead.records.at(-1)?.offset ?? -1) + 1)`,
    replace: `    const next = from`,
    caughtBy: { file: 'src/runtime/decided-once.test.ts', test: 'what was read ahead' },
  },
  {
    name: 'a-wrong-clock-is-believed',
    file: 'src/events/topic.ts',
    find: `loggedAt > 0 && time > loggedAt + CLOCK_TOLERANCE_MS ? loggedAt : time`,
    replace: `time`,
    caughtBy: {
      file: 'src/stages/transitioned/running.test.ts',
      test: "a tick a year ahead changes no story's lifecycle",
    },
  },
  {
    name: 'a-wrong-clock-is-believed-when-restored',
    file: 'src/runtime/held-memory.ts',
    find: `withBoundTimes(changelog, decoded.event, loggedAt)`,
    replace: `decoded.event`,
    caughtBy: {
      file: 'src/stages/transitioned/running.test.ts',
      test: 'a story that a wrong clock had frozen moves again',
    },
  },
  {
    name: 'one-failing-partition-holds-up-the-others',
    file: 'src/runtime/consume-parts.ts',
    find: `    batch.giveWay()\n`,
    replace: ``,
    caughtBy: { file: 'src/runtime/gives-way.test.ts', test: 'in a stage a partition whose writes fail' },
  },
]
