import type { Mutant } from './mutant.ts'

const RUN = 'src/runtime/run-memory-stage.ts'
const HELD = 'src/runtime/held-memory.ts'
const ORDER = 'src/runtime/in-log-order.ts'
const GUARANTEES = 'src/runtime/memory-guarantees.test.ts'
const IN_ORDER = 'src/runtime/in-log-order.test.ts'
const CHECKPOINT = 'src/state/checkpoint.ts'
const RESTORED = 'src/runtime/restored-state.ts'
const STANDBYS = 'src/runtime/warm-states.test.ts'
const SAVED_STATES = 'src/runtime/saved-states.ts'
const SAVED = 'src/runtime/saved-states.test.ts'
const COPIES = 'src/runtime/checkpoint.test.ts'
const LMDB = 'src/adapters/lmdb/lmdb-checkpoints.test.ts'
const ASSIGNOR = 'src/adapters/kafka/co-partition.test.ts'
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
    file: RESTORED,
    find: `?? this.offset - 1) + 1\n      this.ports.onChunk()`,
    replace: `?? this.offset - 1) + 1`,
    caughtBy: { file: GUARANTEES, test: 'ends a restore when the partition is revoked' },
  },
  {
    name: 'ready-before-the-states-are-restored',
    file: 'src/runtime/checkpointing.ts',
    find: `return this.unrestored?.size === 0 &&`,
    replace: `return this.unrestored !== null &&`,
    caughtBy: {
      file: 'src/runtime/warm-states.test.ts',
      test: 'a process that is the standby of a partition is restored once it has joined',
    },
  },
  {
    name: 'interrupted-restore-that-misses-a-record',
    file: RESTORED,
    find: `?? this.offset - 1) + 1`,
    replace: `?? this.offset - 1) + 3`,
    caughtBy: { file: GUARANTEES, test: 'goes on with the restore of a partition that stays' },
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
    file: RESTORED,
    find: `this.offset = begin?.offset ?? 0`,
    replace: `this.offset = begin?.offset ?? 1`,
    caughtBy: { file: GUARANTEES, test: DEATHS },
  },
  {
    name: 'tombstones-not-restored',
    file: RESTORED,
    find: `    for (const record of records) {\n      this.state =`,
    replace: `    for (const record of records) {\n      if (record.value === null) continue\n      this.state =`,
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
    find: `      held.state = wrapped(input, () => stage.memory.evolve(held.state, entry))\n`,
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
    file: RESTORED,
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
  {
    name: 'copy-that-another-process-may-overwrite',
    file: 'src/adapters/lmdb/lmdb-checkpoints.ts',
    find: `    if (this.offset !== from) return false\n`,
    replace: ``,
    caughtBy: { file: LMDB, test: 'checkpoints in LMDB refuses a run that does not follow' },
  },
  {
    name: 'copy-without-its-offset',
    file: 'src/adapters/lmdb/lmdb-checkpoints.ts',
    find: `const header: Header = { topicId, epoch, version, at, offset: to }`,
    replace: `const header: Header = { topicId, epoch, version, at, offset: from }`,
    caughtBy: { file: LMDB, test: 'checkpoints in LMDB keeps the newest record of each key' },
  },
  {
    name: 'copy-that-keeps-deleted-entries',
    file: 'src/adapters/lmdb/lmdb-checkpoints.ts',
    find: `      if (value === null) this.entriesOf.removeSync(storedKey(key))`,
    replace: `      if (value === null) continue`,
    caughtBy: { file: LMDB, test: 'checkpoints in LMDB keeps the newest record of each key' },
  },
  {
    name: 'copy-that-cuts-long-keys',
    file: 'src/adapters/lmdb/lmdb-checkpoints.ts',
    find: `  return { loggedAt: bytes.readDoubleLE(0), key: bytes.toString('utf8', 12, end), value: bytes.subarray(end) }`,
    replace: `  return { loggedAt: 0, key: bytes.toString('utf8', 12, Math.min(end, 1_900)), value: bytes.subarray(end) }`,
    caughtBy: { file: LMDB, test: 'checkpoints in LMDB keeps thousands of entries, long keys' },
  },
  {
    name: 'reader-of-another-topic',
    file: CHECKPOINT,
    find: `now.topicId === read.topicId && `,
    replace: ``,
    caughtBy: { file: STANDBYS, test: 'the state of a standby is not used when the topic was created again' },
  },
  {
    name: 'reader-of-records-that-the-log-has-lost',
    file: CHECKPOINT,
    find: ` && (await log.epochEnd(topic, partition, read.epoch)) >= read.offset`,
    replace: ``,
    caughtBy: { file: COPIES, test: 'a local copy of the changelog is discarded when the log has lost records' },
  },
  {
    name: 'tail-from-where-another-process-copied-to',
    file: CHECKPOINT,
    find: `  const tail = recordsSince(changelog, from, log)\n`,
    replace: `  const tail = recordsSince(changelog, Math.max(from, copy.offset), log)\n`,
    caughtBy: { file: 'src/state/checkpoint.test.ts', test: 'reads again what another process has copied' },
  },
  {
    name: 'restore-from-a-copy-that-was-emptied',
    file: CHECKPOINT,
    find: `  if (from > 0 && (copy.offset < from || !isSameSource(copy.origin, origin))) {`,
    replace: `  if (from < 0) {`,
    caughtBy: { file: 'src/state/checkpoint.test.ts', test: 'notices that a copy was emptied' },
  },
  {
    name: 'restore-of-the-copy-only',
    file: RESTORED,
    find: `    return { ...(await replay.finish(tailOf(changelog, opened, log))), at, ...now }`,
    replace: `    return { ...(await replay.finish(recordsSince(changelog, Infinity, log))), at, ...now }`,
    caughtBy: { file: COPIES, test: 'a local copy of the changelog replaces all but the tail of the changelog' },
  },
  {
    name: 'standby-with-the-state-of-another-topic',
    file: RESTORED,
    find: `known !== null && (await canGoOn(changelog, { now, read: known }, ports))`,
    replace: `known !== null`,
    caughtBy: { file: STANDBYS, test: 'the state of a standby is not used when the topic was created again' },
  },
  {
    name: 'standby-that-misses-a-record',
    file: RESTORED,
    find: `this.offset = begin?.offset ?? 0`,
    replace: `this.offset = begin === null ? 0 : begin.offset + 1`,
    caughtBy: { file: STANDBYS, test: 'the state of a standby needs only what was written since' },
  },
  {
    name: 'reader-that-was-away-while-deletions-were-dropped',
    file: CHECKPOINT,
    find: ` || clock.now() - read.at < MOST_AWAY_MS) return true`,
    replace: ` || clock.now() > 0) return true`,
    caughtBy: { file: SAVED, test: 'a saved state of yesterday is read only if nothing was written since' },
  },
  {
    name: 'copy-that-is-complete-before-its-end',
    file: CHECKPOINT,
    find: `    await extend((next.value.at(-1)?.offset ?? copied - 1) + 1, next.value, before)`,
    replace: `    await extend((next.value.at(-1)?.offset ?? copied - 1) + 1, next.value, origin.at)`,
    caughtBy: { file: 'src/state/checkpoint.test.ts', test: 'is complete once it is read to the end' },
  },
  {
    name: 'state-saved-by-a-process-that-lost-its-partition',
    file: 'src/runtime/run-memory-stage.ts',
    find: `    await this.commitAgain(partition, held) // no other`,
    replace: `    // no other`,
    caughtBy: { file: SAVED, test: 'a saved state is not written by a process that has lost its partition' },
  },
  {
    name: 'state-read-in-another-format',
    file: SAVED_STATES,
    find: `savedUpTo.format !== snapshot.format || `,
    replace: ``,
    caughtBy: { file: SAVED, test: 'a saved state is not read in another format' },
  },
  {
    name: 'state-of-another-topic',
    file: SAVED_STATES,
    find: `    if (!(await canGoOn(changelog, { now, read: savedUpTo }, { log, clock }))) return null\n`,
    replace: ``,
    caughtBy: { file: SAVED, test: 'a saved state is not read when the topic was created again' },
  },
  {
    name: 'state-taken-while-it-is-saved',
    file: 'src/runtime/warm-states.ts',
    find: `      if (this.requested === partition) throw new Stopped()`,
    replace: ``,
    caughtBy: { file: SAVED, test: 'a standby takes over while its state is being saved' },
  },
  {
    name: 'state-that-replaces-another-before-it-is-complete',
    file: 'src/adapters/snapshot-files.ts',
    find: `    const file = await open(partial, 'wx')`,
    replace: `    const file = await open(\`\${path}\${SAVED}\`, 'w')`,
    caughtBy: { file: 'src/adapters/snapshot-files.test.ts', test: 'saved states in files keeps the state before' },
  },
  {
    name: 'saved-memory-that-is-not-used-again',
    file: 'src/stages/clustered/feature-blocks.ts',
    find: `    for (const [size, places] of free) blocks.#free.set(size, [...places])\n`,
    replace: ``,
    caughtBy: {
      file: 'src/stages/clustered/snapshot/snapshot.test.ts',
      test: 'uses the memory of evicted articles and the slots of ended stories again',
    },
  },
  {
    name: 'state-taken-during-its-update',
    file: 'src/runtime/warm-states.ts',
    find: `    while (this.isAdvancing(partition)) {`,
    replace: `    while (this.isAdvancing(-1)) {`,
    caughtBy: { file: STANDBYS, test: 'the state of a standby is taken after its update' },
  },
  {
    name: 'stage-that-stops-without-a-disk',
    file: RESTORED,
    find: `    if (!(cause instanceof CheckpointFailed)) throw cause`,
    replace: `    if (cause !== null) throw cause`,
    caughtBy: {
      file: COPIES,
      test: 'a local copy of the changelog that the disk fails to open does not stop the stage',
    },
  },
  {
    name: 'partitions-that-move-at-each-rebalance',
    file: 'src/adapters/kafka/co-partition.ts',
    find: `candidate.owns.includes(partition))\n    .sort`,
    replace: `candidate.owns.length < 0)\n    .sort`,
    caughtBy: { file: ASSIGNOR, test: 'assigning partitions leaves partitions where they are' },
  },
  {
    name: 'partitions-that-do-not-go-to-their-standby',
    file: 'src/adapters/kafka/co-partition.ts',
    find: `choices: [latestOwner, holder, copier, first]`,
    replace: `choices: [latestOwner, copier, first]`,
    caughtBy: {
      file: ASSIGNOR,
      test: 'assigning partitions gives the partitions of a member that left to their standbys',
    },
  },
  {
    name: 'standbys-that-exceed-the-budget',
    file: 'src/adapters/kafka/co-partition.ts',
    find: `      if (home === undefined) continue\n`,
    replace: `      if (home !== undefined) continue\n      if (home === undefined) continue\n`,
    caughtBy: { file: ASSIGNOR, test: 'standbys fit into the budget of a process' },
  },
  {
    name: 'partitions-that-go-to-members-without-a-copy',
    file: 'src/adapters/kafka/co-partition.ts',
    find: `choices: [latestOwner, holder, copier, first]`,
    replace: `choices: [latestOwner, first]`,
    caughtBy: { file: ASSIGNOR, test: 'assigning partitions leaves partitions where they are' },
  },
]
