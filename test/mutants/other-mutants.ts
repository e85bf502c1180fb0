import type { Mutant } from './mutant.ts'

const EFFECT = 'src/runtime/run-effect.ts'
const EFFECT_TEST = 'src/runtime/run-effect.test.ts'
const LOG = 'test/contracts/log.test.ts'

/** Mistakes of effects, sources, folds and of the way to Kafka itself. */
export const otherMutants: readonly Mutant[] = [
  {
    name: 'effect-commits-past-what-is-pending',
    file: EFFECT,
    find: `  held.commit.want(part, held.readFrom ?? part.next)`,
    replace: `  held.commit.want(part, part.next)`,
    caughtBy: { file: EFFECT_TEST, test: 'reads again after a crash exactly what was not finished' },
  },
  {
    name: 'effect-begins-before-it-has-read-on',
    file: 'src/runtime/held-effect.ts',
    find: `    if (!this.live && !this.draining && part.next >= this.liveFrom) this.goLive()`,
    replace: `    if (!this.live && !this.draining) this.goLive()`,
    caughtBy: { file: EFFECT_TEST, test: 'attempts nothing that it has not read on about' },
  },
  {
    name: 'effect-records-what-is-not-its-own-any-more',
    file: 'src/runtime/held-effect.ts',
    find: `        await this.hold.ours()
        await running.log.produce(records)`,
    replace: `        await running.log.produce(records)`,
    caughtBy: { file: EFFECT_TEST, test: 'records nothing of an attempt that ends after' },
  },
  {
    name: 'effect-does-again-what-is-done',
    file: 'src/runtime/held-effect.ts',
    find: `    if (this.effect.progress(input.event) <= (this.done.get(id) ?? -1)) return`,
    replace: ``,
    caughtBy: { file: EFFECT_TEST, test: 'begins nothing anew that is done' },
  },
  {
    name: 'delivery-under-a-new-id-each-time',
    file: 'src/stages/delivered/planned-delivery.ts',
    find: `  \`dlv_\${base32(sha256(\`\${receiver}\\n\${changeId}\`)).slice(0, 26)}\``,
    replace: `  \`dlv_\${base32(sha256(\`\${receiver}\\n\${changeId}\${performance.now()}\`)).slice(0, 26)}\``,
    caughtBy: { file: 'src/stages/delivered/stage.test.ts', test: 'plan plans the same again for a repeat' },
  },
  {
    name: 'repeat-clustered-twice',
    file: 'src/stages/clustered/stage.ts',
    find: `  if (earlier?.seen.includes(article.content_hash) === true) return { ...skip('already_seen'), remember: [] }`,
    replace: ``,
    caughtBy: { file: 'src/stages/clustered/stage.test.ts', test: 'clustered ignores what it has seen' },
  },
  {
    name: 'repeat-told-twice-in-the-feed',
    file: 'src/stages/changed/stage.ts',
    find: `  if (known?.told.includes(content_hash) === true) return { ...skip('known'), remember: [] }`,
    replace: ``,
    caughtBy: { file: 'src/stages/changed/stage.test.ts', test: 'an article is not told again with the same content' },
  },
  {
    name: 'accepted-before-the-log-has-it',
    file: 'src/api/jobs/submit.ts',
    find: `  if (missing.length > 0) await append(articlesIngested, missing, ports)`,
    replace: `  if (missing.length > 0) append(articlesIngested, missing, ports).catch(() => undefined)`,
    caughtBy: { file: 'src/api/jobs/routes.test.ts', test: 'one article with the log away is 503' },
  },
  {
    name: 'import-notes-what-the-log-has-not-taken',
    file: 'src/sources/publisher.ts',
    find: `    await retryWhileUnavailable(ports, () => ports.log.produce(batch))
    accepted += batch.length`,
    replace: `    accepted += batch.length
    onAccepted?.(accepted)
    await retryWhileUnavailable(ports, () => ports.log.produce(batch))`,
    caughtBy: { file: 'src/sources/import-articles.test.ts', test: 'notes nothing as done that the log has not taken' },
  },
  {
    name: 'reads-what-is-not-committed',
    file: 'src/adapters/kafka/consumer.ts',
    find: `    readUncommitted: false,`,
    replace: `    readUncommitted: true,`,
    caughtBy: { file: LOG, test: 'never shows what a transaction did not commit', engines: true },
  },
  {
    name: 'writer-fences-nobody',
    file: 'src/adapters/kafka/producers.ts',
    find: `    await (await producer.transaction()).abort()`,
    replace: ``,
    caughtBy: { file: LOG, test: 'the log in kafka fences the writers', engines: true },
  },
]
