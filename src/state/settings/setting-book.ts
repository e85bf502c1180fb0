import { Book } from './book.ts'

/** A setting of a namespace that callers create, change and delete. */
export interface NamespaceSetting {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly updated_at: number
}

/** The states of a setting read from the log since the watch began, oldest first; `null` if it was deleted. */
export interface WatchedSetting<Setting> {
  readonly states: readonly (Setting | null)[]
  end(): void
}

/** The settings of all namespaces in a compacted topic. */
export class SettingBook<Setting extends NamespaceSetting> extends Book<Setting> {
  private readonly byNamespace = new Map<string, Set<string>>()
  private readonly watching = new Set<{ readonly id: string; readonly states: (Setting | null)[] }>()

  /** The settings of one namespace, oldest first. */
  of(namespace: string): readonly Setting[] {
    const found = [...(this.byNamespace.get(namespace) ?? [])].flatMap((id) => this.get(id) ?? [])
    return found.sort((a, b) => a.created_at - b.created_at || (this.idOf(a) < this.idOf(b) ? -1 : 1))
  }

  /**
   * Collects every state that is read from now on, not only the newest, for callers that must see concurrent changes.
   */
  watch(id: string): WatchedSetting<Setting> {
    const one = { id, states: [] }
    this.watching.add(one)
    return { states: one.states, end: () => void this.watching.delete(one) }
  }

  protected override changed(before: Setting | null, now: Setting | null): void {
    this.notify(before, now)
    if (before !== null) this.byNamespace.get(before.namespace)?.delete(this.idOf(before))
    if (now === null) return
    const ids = this.byNamespace.get(now.namespace) ?? new Set()
    this.byNamespace.set(now.namespace, ids.add(this.idOf(now)))
  }

  private notify(before: Setting | null, now: Setting | null): void {
    const either = now ?? before
    if (either === null) return
    const id = this.idOf(either)
    for (const one of this.watching) if (one.id === id) one.states.push(now)
  }
}
