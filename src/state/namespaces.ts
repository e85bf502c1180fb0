import type { Entry } from './entry.ts'

/** The state of one partition. Owned and mutated by `evolve`. */
export interface PartitionState<Held> {
  readonly namespaces: Map<string, Held>
  /** Articles kept, over all namespaces. */
  size: number
}

/** A state update and the parts of its key. */
export interface KeyedUpdate<Value> {
  readonly kind: string
  /** May contain colons. */
  readonly id: string
  readonly value: Value | null
}

/** How a stage keeps the state of one namespace. */
interface NamespaceRules<Held, Value> {
  readonly open: () => Held
  readonly apply: (held: Held, update: KeyedUpdate<Value>) => void
  /** An empty namespace is deleted. */
  readonly isEmpty: (held: Held) => boolean
}

interface HasArticles {
  readonly articles: { readonly size: number }
}

/** Applies a state update to its namespace, and counts the articles of the partition. */
export function evolveNamespace<State extends PartitionState<Held>, Held extends HasArticles, Value>(
  state: State,
  { key, value }: Entry<Value>,
  { open, apply, isEmpty }: NamespaceRules<Held, Value>,
): State {
  const [namespace = '', kind = ''] = key.split(':', 2)
  const held = state.namespaces.get(namespace) ?? open()
  const before = held.articles.size
  apply(held, { kind, id: key.slice(namespace.length + kind.length + 2), value })
  state.size += held.articles.size - before
  if (isEmpty(held)) state.namespaces.delete(namespace)
  else state.namespaces.set(namespace, held)
  return state
}
