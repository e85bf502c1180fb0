import type { Codec, Log } from '../../ports/log.ts'
import type { UpToDate } from './book.ts'
import type { NamespaceSetting, SettingBook, WatchedSetting } from './setting-book.ts'

/** One change of a setting. `become` is called again after each concurrent change, so it must be idempotent. */
export interface SettingChange<Setting, Refusal> {
  /** Checked before each write, on the state that the change would be applied to. `null` if the change is allowed. */
  readonly refusal: (found: Setting | null) => Refusal | null
  /** Returns `null` to delete the setting. */
  readonly become: (found: Setting) => Setting | null
}

interface ChangeSettingPorts<Setting extends NamespaceSetting> {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Pick<Codec, 'encode'>
  readonly known: Pick<UpToDate<SettingBook<Setting>>, 'now'>
}

/** The setting was changed concurrently too many times, so it is unknown which change holds. */
export class TooManyAtOnce extends Error {
  override readonly name = 'TooManyAtOnce'
}

export interface SettingChangeDone<Setting> {
  readonly kind: 'changed'
  /** The setting as it is now in the log; `null` if it is deleted. */
  readonly setting: Setting | null
}

const MOST_ROUNDS = 6

/**
 * Changes a setting that others may change concurrently: other instances of the API, an effect, an operator. A record
 * holds the whole setting and the log has no compare-and-set. After writing, this therefore reads everything that was
 * logged meanwhile and repeats the change on top of any concurrent state. Resolves when the newest record includes the
 * change and no concurrent change is lost. If the change is refused after it was written, because of a concurrent change,
 * the newest record is the concurrent state. Throws `TooManyAtOnce` and the errors of the log.
 */
export async function changeSetting<Setting extends NamespaceSetting, Refusal>(
  id: string,
  change: SettingChange<Setting, Refusal>,
  ports: ChangeSettingPorts<Setting>,
): Promise<SettingChangeDone<Setting> | Refusal> {
  const book = await ports.known.now()
  const watched = book.watch(id)
  try {
    return await repeated(change, new Record(id, { book, watched }, ports))
  } finally {
    watched.end()
  }
}

async function repeated<Setting extends NamespaceSetting, Refusal>(
  change: SettingChange<Setting, Refusal>,
  record: Record<Setting>,
): Promise<SettingChangeDone<Setting> | Refusal> {
  let found = record.newest()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const refused = change.refusal(found)
    if (refused !== null && (await record.isNewest(found))) return refused
    // a state refused while our earlier write is the newest is written back, so that our write does not undo it
    const { theirs, newest } = await record.write(refused === null ? applied(change, found) : found)
    if (theirs === undefined) return refused ?? { kind: 'changed', setting: newest }
    if (await isIn(newest, theirs, { change, record })) return { kind: 'changed', setting: newest }
    found = theirs
  }
  throw new TooManyAtOnce(record.id)
}

interface ChangeOfRecord<Setting extends NamespaceSetting> {
  readonly change: SettingChange<Setting, unknown>
  readonly record: Record<Setting>
}

/** Whether the newest state is the concurrent one with the change, which that one allows. */
async function isIn<Setting extends NamespaceSetting>(
  newest: Setting | null,
  theirs: Setting | null,
  { change, record }: ChangeOfRecord<Setting>,
): Promise<boolean> {
  const isRefused = theirs !== null && change.refusal(theirs) !== null
  return !isRefused && record.isSame(applied(change, theirs), newest)
}

const applied = <Setting>({ become }: SettingChange<Setting, unknown>, found: Setting | null): Setting | null =>
  found === null ? null : become(found)

interface WrittenStates<Setting> {
  /** The last concurrent state since the previous read; `undefined` if there was none. */
  readonly theirs: Setting | null | undefined
  readonly newest: Setting | null
}

/** The log's records of one setting, read further after each write. */
class Record<Setting extends NamespaceSetting> {
  readonly id: string
  private readonly read: { readonly book: SettingBook<Setting>; readonly watched: WatchedSetting<Setting> }
  private readonly ports: ChangeSettingPorts<Setting>
  private seen = 0

  constructor(id: string, read: Record<Setting>['read'], ports: ChangeSettingPorts<Setting>) {
    this.id = id
    this.read = read
    this.ports = ports
  }

  newest(): Setting | null {
    return this.read.book.get(this.id)
  }

  async isNewest(state: Setting | null): Promise<boolean> {
    return this.isSame(state, this.newest())
  }

  async write(state: Setting | null): Promise<WrittenStates<Setting>> {
    const { log, codec, known } = this.ports
    const { topic } = this.read.book
    const value = state === null ? null : await codec.encode(topic, state)
    const key = state === null ? this.id : topic.key(state)
    await log.produce([{ topic: topic.name, key, value }])
    await known.now()
    const newest = this.newest()
    const seenStates = this.read.watched.states.slice(this.seen)
    this.seen += seenStates.length
    const isOurs = await Promise.all(seenStates.map((one) => this.isValue(one, value)))
    const ours = isOurs.indexOf(true)
    return { theirs: seenStates.filter((_, i) => i !== ours).at(-1), newest }
  }

  /** Compares everything except the time of the last change. */
  async isSame(one: Setting | null, other: Setting | null): Promise<boolean> {
    if (one === null || other === null) return one === other
    const value = await this.ports.codec.encode(this.read.book.topic, { ...one, updated_at: 0 })
    return this.isValue({ ...other, updated_at: 0 }, value)
  }

  private async isValue(state: Setting | null, value: Buffer | null): Promise<boolean> {
    if (state === null || value === null) return state === value
    return value.equals(await this.ports.codec.encode(this.read.book.topic, state))
  }
}
