import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Batch, Consumer, Log, LogRecord, OutRecord, Subscription } from '../../src/ports/log.ts'

/** A log under test. */
export interface LogUnderTest {
  readonly log: Log
  /** A new topic with a unique name. */
  topic(partitions: number): Promise<string>
  close(): Promise<void>
}

const patience = { timeout: 15_000, interval: 20 }

/** The contract of every log. */
export function logContract(kind: string, open: () => Promise<LogUnderTest>): void {
  describe(`the log in ${kind}`, () => {
    let under: LogUnderTest
    let log: Log
    let turn = 0
    const aGroup = () => `group-${kind}-${++turn}-${process.pid}-${Date.now()}`
    const aTopic = (partitions = 1) => under.topic(partitions)
    const running: Consumer[] = []

    beforeAll(async () => {
      under = await open()
      log = under.log
    })
    afterAll(async () => {
      await Promise.all(running.map((consumer) => consumer.stop()))
      await under.close()
    })

    const subscription = (
      group: string,
      topics: readonly string[],
      more: Partial<Subscription> = {},
    ): Subscription => ({
      group,
      topics,
      minBytes: 1,
      maxWaitMs: 100,
      onCrash: (cause) => {
        throw cause
      },
      ...more,
    })
    const consume = async (of: Subscription, handle: (batch: Batch) => Promise<void>): Promise<Consumer> => {
      const consumer = await log.consume(of, handle)
      running.push(consumer)
      return consumer
    }
    const all = async (topic: string, partition = 0, from = 0): Promise<readonly LogRecord[]> => {
      const records: LogRecord[] = []
      for await (const chunk of log.read(topic, partition, from)) records.push(...chunk)
      return records
    }
    const words = (topic: string, ...texts: readonly string[]): OutRecord[] =>
      texts.map((text) => ({ topic, key: 'k', value: Buffer.from(text) }))
    const textsOf = (records: readonly LogRecord[]) => records.map(({ value }) => value?.toString() ?? null)

    it('returns records as written: key, bytes, headers, tombstones, in order', async () => {
      const topic = await aTopic()

      const loggedAt = await log.produce([
        { topic, key: 'a', value: Buffer.from([0, 255, 1]), headers: { reason: 'ünïcode' } },
        { topic, key: 'a', value: null },
        { topic, key: null, value: Buffer.from('no key') },
      ])

      const records = await all(topic)
      expect(records.map(({ key, value, offset }) => ({ key, value, offset }))).toEqual([
        { key: 'a', value: Buffer.from([0, 255, 1]), offset: 0 },
        { key: 'a', value: null, offset: 1 },
        { key: null, value: Buffer.from('no key'), offset: 2 },
      ])
      expect(records[0]?.headers).toEqual({ reason: 'ünïcode' })
      expect(records.map((record) => record.loggedAt)).toEqual([loggedAt, loggedAt, loggedAt])
      expect(await log.produce([])).toBe(0)
    })

    it('returns the first offset of a topic, and the first record at or after a time', async () => {
      const topic = await aTopic(2)
      const sent = (text: string) => log.produce([{ topic, key: 'k', value: Buffer.from(text), partition: 1 }])
      const first = await sent('one')
      // records with equal timestamps cannot be distinguished
      const { second } = await vi.waitUntil(async () => {
        const loggedAt = await sent('two')
        return (loggedAt > first || kind === 'memory') && { second: loggedAt }
      }, patience)
      const later = (await all(topic, 1)).find(({ loggedAt }) => loggedAt >= second)

      expect(await log.starts(topic)).toEqual([0, 0])
      expect(await log.since(topic, first)).toEqual([0, 0])
      expect(await log.since(topic, second)).toEqual([0, later?.offset])
      expect(await log.since(topic, second + 60_000)).toEqual(await log.ends(topic))
    })

    it('deletes the committed offsets of a group, but not while it has a member', async () => {
      const topic = await aTopic()
      const group = aGroup()
      await log.produce(words(topic, 'one', 'two'))
      const read = () =>
        consume(subscription(group, [topic]), async (batch) => {
          await batch.commit(batch.end)
        })
      const member = await read()
      await vi.waitFor(async () => {
        expect(await log.committed(group, topic)).toEqual([2])
      }, patience)

      await expect(log.forget(group)).rejects.toThrow()
      await member.stop()
      await log.forget(group)
      await log.forget(group) // nothing is committed yet

      expect(await log.committed(group, topic)).toEqual([null])
    })

    it('accepts many megabytes at once and keeps their order', async () => {
      const topic = await aTopic()
      const body = Buffer.alloc(60_000, 1)

      await log.produce(Array.from({ length: 70 }, (_, i) => ({ topic, key: String(i), value: body })))

      expect((await all(topic)).map(({ key }) => key)).toEqual(Array.from({ length: 70 }, (_, i) => String(i)))
    })

    it('keeps each key in one partition, and uses an explicit partition', async () => {
      const topic = await aTopic(3)

      await log.produce([
        ...['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'].map((key) => ({ topic, key, value: Buffer.from(key) })),
        ...[0, 1, 2].map((partition) => ({ topic, key: 'told', value: null, partition })),
      ])

      const partitions = await Promise.all([0, 1, 2].map((p) => all(topic, p)))
      const homes = ['a', 'b', 'c', 'd'].map((key) => partitions.filter((of) => of.some((it) => it.key === key)).length)
      expect(homes).toEqual([1, 1, 1, 1])
      expect(partitions.map((of) => of.filter(({ key }) => key === 'told').length)).toEqual([1, 1, 1])
    })

    it('starts a new group at the beginning, and a known one at its committed offset', async () => {
      const topic = await aTopic()
      const group = aGroup()
      await log.produce(words(topic, 'one', 'two', 'three'))
      const first = await consume(subscription(group, [topic]), async (batch) => {
        await batch.commit(2)
      })
      await vi.waitFor(async () => {
        expect(await log.committed(group, topic)).toEqual([2])
      }, patience)
      await first.stop()

      const seen: string[] = []
      const second = await consume(subscription(group, [topic]), async ({ records }) => {
        seen.push(...records.map(({ value }) => String(value)))
      })

      await vi.waitFor(() => {
        expect(seen).toEqual(['three'])
      }, patience)
      await second.stop()
    })

    it('continues at its position if a commit is behind it, also a later one; a restart reads from the commit', async () => {
      const topic = await aTopic()
      const group = aGroup()
      await log.produce(words(topic, 'one', 'two', 'three'))
      const seen: string[] = []
      const batches: Batch[] = []
      const first = await consume(subscription(group, [topic]), async (batch) => {
        batches.push(batch)
        seen.push(...batch.records.map(({ value }) => String(value)))
        if (batches.length === 1) await batch.commit(1)
      })
      await vi.waitFor(() => {
        expect(seen).toHaveLength(3)
      }, patience)

      await batches[0]?.commit(2)
      await log.produce(words(topic, 'four'))
      await vi.waitFor(() => {
        expect(seen).toEqual(['one', 'two', 'three', 'four'])
      }, patience)
      await first.stop()
      const again: string[] = []
      const second = await consume(subscription(group, [topic]), async ({ records }) => {
        again.push(...records.map(({ value }) => String(value)))
      })

      await vi.waitFor(() => {
        expect(again).toEqual(['three', 'four'])
      }, patience)
      await second.stop()
    })

    it('returns null if a group never committed, and stores metadata with a commit', async () => {
      const topic = await aTopic()
      const group = aGroup()
      expect(await log.committed(group, topic)).toEqual([null])
      await log.produce(words(topic, 'one'))

      const consumer = await consume(subscription(group, [topic]), async (batch) => {
        await batch.commit(0, 'in hand 1 2')
      })

      await vi.waitFor(async () => {
        expect(await log.notes(group, topic)).toEqual(['in hand 1 2'])
      }, patience)
      await consumer.stop()
      expect(await log.committed(group, topic)).toEqual([0])
    })

    it('redelivers a batch if its handler throws, including a TypeError', async () => {
      const topic = await aTopic()
      await log.produce(words(topic, 'one', 'two'))
      const seen: (readonly (string | null)[])[] = []

      const consumer = await consume(subscription(aGroup(), [topic]), async ({ records }) => {
        seen.push(textsOf(records))
        if (seen.length === 1) throw new TypeError('a bug')
      })

      await vi.waitFor(() => {
        expect(seen).toEqual([
          ['one', 'two'],
          ['one', 'two'],
        ])
      }, patience)
      await consumer.stop()
    })

    it('continues with other partitions while one is retried, which is redelivered completely and in order', async () => {
      const topic = await aTopic(2)
      const to = (partition: number, ...texts: readonly string[]) =>
        words(topic, ...texts).map((record) => ({ ...record, partition }))
      await log.produce(to(0, 'one', 'two'))
      const seen: string[][] = [[], []]
      let goOn: () => void = () => undefined
      const going = new Promise<void>((resolve) => (goOn = resolve))
      let attempts = 0
      const consumer = await consume(subscription(aGroup(), [topic]), async (batch) => {
        if (batch.partition === 0 && ++attempts === 1) {
          batch.giveWay()
          await going
          throw new Error('its writes fail')
        }
        seen[batch.partition]?.push(...textsOf(batch.records).map(String))
        await batch.commit(batch.end)
      })
      await vi.waitFor(() => {
        expect(attempts).toBe(1)
      }, patience)

      await log.produce(to(0, 'three'))
      for (const text of ['a', 'b', 'c']) {
        await log.produce(to(1, text))
        await vi.waitFor(() => {
          expect(seen[1]).toContain(text)
        }, patience)
      }
      expect({ attempts, failing: seen[0] }).toEqual({ attempts: 1, failing: [] })
      goOn()

      await vi.waitFor(() => {
        expect(seen).toEqual([
          ['one', 'two', 'three'],
          ['a', 'b', 'c'],
        ])
      }, patience)
      await consumer.stop()
    })

    it('handles batches of several topic partitions at once if a consumer is to, each of them in order', async () => {
      const topics = [await aTopic(2), await aTopic(2)]
      const to = (topic: string, partition: number, ...texts: readonly string[]) =>
        words(topic, ...texts).map((record) => ({ ...record, partition }))
      for (const topic of topics) await log.produce([...to(topic, 0, 'one', 'two'), ...to(topic, 1, 'one', 'two')])
      const seen = new Map<string, string[]>()
      let inProgress = 0
      let most = 0
      const consumer = await consume(subscription(aGroup(), topics, { concurrency: 4 }), async (batch) => {
        most = Math.max(most, ++inProgress)
        const place = `${topics.indexOf(batch.topic)} ${batch.partition}`
        const before = seen.get(place) ?? []
        await vi.waitFor(() => {
          expect(most).toBeGreaterThan(1)
        }, patience)
        seen.set(place, [...before, ...textsOf(batch.records).map(String)])
        await batch.commit(batch.end)
        inProgress -= 1
      })
      await vi.waitFor(() => {
        expect(seen.size).toBe(4)
      }, patience)
      for (const topic of topics) await log.produce([...to(topic, 0, 'three'), ...to(topic, 1, 'three')])

      await vi.waitFor(() => {
        expect([...seen.values()]).toEqual(Array.from({ length: 4 }, () => ['one', 'two', 'three']))
      }, patience)
      await consumer.stop()
    })

    it('delivers nothing of a partition until the batches of all its topics that gave way have ended', async () => {
      const topics = [await aTopic(2), await aTopic(2)]
      const to = (topic: string | undefined, partition: number, text: string) =>
        words(topic ?? '', text).map((record) => ({ ...record, partition }))
      for (const topic of topics) await log.produce(to(topic, 0, 'one'))
      const ends: (() => void)[] = []
      const seen: string[] = []
      const consumer = await consume(subscription(aGroup(), topics, { concurrency: 2 }), async (batch) => {
        seen.push(`${topics.indexOf(batch.topic)} ${textsOf(batch.records).join()}`)
        if (ends.length < 2) {
          batch.giveWay()
          await new Promise<void>((resolve) => ends.push(resolve))
        }
        await batch.commit(batch.end)
      })
      await vi.waitFor(() => {
        expect(ends).toHaveLength(2)
      }, patience)
      for (const topic of topics) await log.produce(to(topic, 0, 'two'))
      ends[0]?.()
      for (const text of ['a', 'b']) {
        await log.produce(to(topics[0], 1, text))
        await vi.waitFor(() => {
          expect(seen).toContain(`0 ${text}`)
        }, patience)
      }
      expect([...seen].sort()).toEqual(['0 a', '0 b', '0 one', '1 one'])
      ends[1]?.()

      await vi.waitFor(() => {
        expect([...seen].sort()).toEqual(['0 a', '0 b', '0 one', '0 two', '1 one', '1 two'])
      }, patience)
      await consumer.stop()
    })

    it('a batch that yields and succeeds is not redelivered, and its partition continues', async () => {
      const topic = await aTopic()
      const group = aGroup()
      await log.produce(words(topic, 'one', 'two'))
      const seen: string[] = []
      const consumer = await consume(subscription(group, [topic]), async (batch) => {
        batch.giveWay()
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(...textsOf(batch.records).map(String))
        await batch.commit(batch.end)
      })
      await vi.waitFor(() => {
        expect(seen).toHaveLength(2)
      }, patience)

      await log.produce(words(topic, 'three'))

      await vi.waitFor(async () => {
        expect(await log.committed(group, topic)).toEqual([3])
      }, patience)
      expect(seen).toEqual(['one', 'two', 'three'])
      await consumer.stop()
    })

    it('finishes the current batch, including its commit, when stopped', async () => {
      const topic = await aTopic()
      const group = aGroup()
      await log.produce(words(topic, 'one'))
      let begun: () => void = () => undefined
      let goOn: () => void = () => undefined
      const began = new Promise<void>((resolve) => (begun = resolve))
      const going = new Promise<void>((resolve) => (goOn = resolve))
      const consumer = await consume(subscription(group, [topic]), async (batch) => {
        begun()
        await going
        await batch.commit(batch.end)
      })
      await began

      const stopped = consumer.stop()
      goOn()
      await stopped

      expect(await log.committed(group, topic)).toEqual([1])
    })

    it('reports an assignment before its first batch', async () => {
      const topic = await aTopic(2)
      const order: string[] = []
      await log.produce([0, 1].map((partition) => ({ topic, key: 'k', value: null, partition })))

      const consumer = await consume(
        subscription(aGroup(), [topic], {
          onAssigned: async (places) => {
            order.push(
              `assigned ${places
                .map(({ partition }) => partition)
                .sort()
                .join()}`,
            )
          },
        }),
        async ({ partition }) => {
          order.push(`batch ${partition}`)
        },
      )

      await vi.waitFor(() => {
        expect(order).toHaveLength(3)
      }, patience)
      await consumer.stop()
      expect(order[0]).toBe('assigned 0,1')
    })

    it('assigns partition p of every topic to the same member', async () => {
      const [one, two] = [await aTopic(2), await aTopic(2)]
      const group = aGroup()
      const held: Record<string, readonly string[]> = {}
      const join = (name: string) =>
        consume(
          subscription(group, [one, two], {
            onAssigned: async (places) => {
              held[name] = places.map(({ topic, partition }) => `${topic === one ? 'one' : 'two'} ${partition}`).sort()
            },
          }),
          async () => undefined,
        )
      const feed = async () => {
        await log.produce(
          [one, two].flatMap((topic) => [0, 1].map((partition) => ({ topic, key: 'k', value: null, partition }))),
        )
      }
      const first = await join('first')
      const second = await join('second')

      await vi.waitFor(async () => {
        await feed()
        expect([held['first'], held['second']].sort()).toEqual([
          ['one 0', 'two 0'],
          ['one 1', 'two 1'],
        ])
      }, patience)
      await Promise.all([first.stop(), second.stop()])
    })

    it('names the partitions that a member shall copy: those of the other member', async () => {
      const topic = await aTopic(4)
      const group = aGroup()
      const aMember = () => ({ owns: new Set<number>(), copies: new Set<number>() })
      const [one, other] = [aMember(), aMember()]
      const join = (member: ReturnType<typeof aMember>) =>
        consume(
          subscription(group, [topic], {
            standbys: {
              replicas: 1,
              copies: () => [...member.copies],
              holds: () => [...member.copies],
              onAssigned: (partitions) => (member.copies = new Set(partitions)),
            },
            onJoined: (places) => (member.owns = new Set(places.map(({ partition }) => partition))),
          }),
          async () => undefined,
        )
      const [first, second] = [await join(one), await join(other)]

      await vi.waitFor(() => {
        expect([one.owns.size, other.owns.size]).toEqual([2, 2])
        expect([one.copies, other.copies]).toEqual([other.owns, one.owns])
      }, patience)
      await first.stop()

      await vi.waitFor(() => {
        expect([other.owns, other.copies]).toEqual([new Set([0, 1, 2, 3]), new Set()])
      }, patience)
      await second.stop()
    })

    it('marks a batch as stale if its partition may be reassigned', async () => {
      const topic = await aTopic(1)
      const group = aGroup()
      await log.produce(words(topic, 'one'))
      let stale = false
      const joined: Promise<Consumer>[] = []
      const first = await consume(subscription(group, [topic]), async (batch) => {
        if (stale) return
        if (joined.length === 0) joined.push(log.consume(subscription(group, [topic]), async () => undefined))
        while (!batch.isStale()) {
          await batch.heartbeat().catch(() => undefined)
          await new Promise((resolve) => setImmediate(resolve))
        }
        stale = true
        await expect(batch.commit(1)).rejects.toThrow()
      })

      await vi.waitFor(() => {
        expect(stale).toBe(true)
      }, patience)
      await Promise.all([first, ...joined].map(async (consumer) => (await consumer).stop()))
    })

    it('commits records and read offsets together', async () => {
      const [input, output] = [await aTopic(), await aTopic()]
      const group = aGroup()
      const writer = await log.writer(`writer-${group}`)

      await writer.write(words(output, 'one'), { group, next: [{ topic: input, partition: 0, offset: 7 }] })
      await writer.write(words(output, 'two'), { group, next: [{ topic: input, partition: 0, offset: 9 }] })

      // the broker marks a transaction as committed shortly after it confirms it
      await expect.poll(async () => textsOf(await all(output)), patience).toEqual(['one', 'two'])
      await expect.poll(() => log.committed(group, input), patience).toEqual([9])
      await writer.close()
    })

    it('accepts the read offsets of several topics at once, with or without records', async () => {
      const [one, two] = [await aTopic(), await aTopic()]
      const group = aGroup()
      const writer = await log.writer(`offsets-${group}`)
      const next = [
        { topic: one, partition: 0, offset: 3 },
        { topic: two, partition: 0, offset: 5 },
      ]

      await writer.write([], { group, next })

      const committed = async () => [await log.committed(group, one), await log.committed(group, two)]
      await expect.poll(committed, patience).toEqual([[3], [5]])
      await writer.close()
    })

    it('stores metadata with read offsets, and removes it with the next ones', async () => {
      const input = await aTopic()
      const group = aGroup()
      const writer = await log.writer(`metadata-${group}`)
      const next = { topic: input, partition: 0, offset: 0 }

      await writer.write([], { group, next: [{ ...next, metadata: 'until 5' }] })
      await expect.poll(() => log.notes(group, input), patience).toEqual(['until 5'])
      await writer.write([], { group, next: [next] })

      await expect.poll(() => log.notes(group, input), patience).toEqual([null])
      await writer.close()
    })

    it('fences the writers before the newest one of an id', async () => {
      const [input, output] = [await aTopic(), await aTopic()]
      const group = aGroup()
      const next = [{ topic: input, partition: 0, offset: 1 }]
      const old = await log.writer(`fenced-${group}`)
      await old.write(words(output, 'before'), { group, next })

      const young = await log.writer(`fenced-${group}`)

      await expect(old.write(words(output, 'zombie'), { group, next })).rejects.toThrow()
      await young.write(words(output, 'after'), { group, next })
      // the broker marks a transaction as committed shortly after it confirms it
      await expect.poll(async () => textsOf(await all(output)), { timeout: 30_000 }).toEqual(['before', 'after'])
      await Promise.all([old.close(), young.close()])
    })

    it('reads from an offset to the end, past transaction markers, and ends', async () => {
      const [input, output] = [await aTopic(), await aTopic()]
      const group = aGroup()
      const writer = await log.writer(`markers-${group}`)
      for (const text of ['one', 'two', 'three']) {
        await writer.write(words(output, text), { group, next: [{ topic: input, partition: 0, offset: 1 }] })
      }
      const [first, second] = await all(output)

      expect(textsOf([first, second].flatMap((it) => it ?? []))).toEqual(['one', 'two'])
      expect(textsOf(await all(output, 0, (first?.offset ?? 0) + 1))).toEqual(['two', 'three'])
      expect(await all(output, 0, 1000)).toEqual([])
      expect(await all(input)).toEqual([])
      await writer.close()
    })

    it('has an id for a topic and an end for its leader epoch', async () => {
      const [topic, other] = [await aTopic(2), await aTopic()]
      await log.produce([{ topic, key: 'k', value: null, partition: 1 }])

      const found = await log.incarnation(topic, 1)

      expect(await log.incarnation(topic, 0)).toEqual(found)
      expect((await log.incarnation(other, 0)).topicId).not.toBe(found.topicId)
      expect(await log.epochEnd(topic, 1, found.epoch)).toBe(1)
      expect(await log.epochEnd(topic, 0, found.epoch)).toBe(0)
    })

    it('has no consumer lag once all is read, including transaction markers', async () => {
      const [input, output] = [await aTopic(), await aTopic()]
      const group = aGroup()
      const writer = await log.writer(`lag-${group}`)
      await writer.write(words(output, 'one', 'two'), { group, next: [{ topic: input, partition: 0, offset: 1 }] })

      const consumer = await consume(subscription(group, [output]), async (batch) => {
        await batch.commit(batch.end)
      })

      await vi.waitFor(async () => {
        expect(await log.committed(group, output)).toEqual(await log.ends(output))
      }, patience)
      await Promise.all([consumer.stop(), writer.close()])
    })
  })
}
