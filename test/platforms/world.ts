import type { Platform } from '../../src/events/discourse.ts'

/** A post as one writes it by hand; each platform gives it an id and a shape of its own kind. */
export interface StandInPost {
  readonly platform: Platform
  /** Short, unique on its platform. */
  readonly id: string
  /** `id` of the post it answers. */
  readonly parent: string | null
  readonly author: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly score: number
  readonly link: string | null
  readonly deleted: boolean
  /** Its author has blocked who asks: Bluesky says so in threads. */
  readonly blocked?: boolean
}

/** What a stream of events tells; `seq` counts from 1. */
export interface PlatformChange {
  readonly seq: number
  readonly operation: 'create' | 'update' | 'delete'
  readonly post: StandInPost
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Posts of all platforms, and every change of them in order. */
export class PlatformWorld {
  readonly changes: PlatformChange[] = []
  readonly now: () => number
  private readonly posts = new Map<string, StandInPost>()
  private readonly listeners = new Set<(change: PlatformChange) => void>()

  constructor(posts: readonly StandInPost[], now: () => number) {
    this.now = now
    for (const post of posts) this.add(post)
  }

  add(post: StandInPost): void {
    const key = keyOf(post.platform, post.id)
    const operation = this.posts.has(key) ? 'update' : 'create'
    this.posts.set(key, post)
    this.publish(post.deleted ? 'delete' : operation, post)
  }

  /** Deleted by its author: what is left is its place in a thread. False: no such post. */
  remove(platform: Platform, id: string): boolean {
    const post = this.find(platform, id)
    if (post === null) return false
    const gone = { ...post, deleted: true }
    this.posts.set(keyOf(platform, id), gone)
    this.publish('delete', gone)
    return true
  }

  /** Deleted ones included, the oldest first. */
  on(platform: Platform): readonly StandInPost[] {
    return [...this.posts.values()].filter((post) => post.platform === platform).sort(byAge)
  }

  find(platform: Platform, id: string | null): StandInPost | null {
    return id === null ? null : (this.posts.get(keyOf(platform, id)) ?? null)
  }

  answers(post: StandInPost): readonly StandInPost[] {
    return this.on(post.platform).filter(({ parent }) => parent === post.id)
  }

  /** The first post of a thread; one whose parent nobody knows is one. */
  root(post: StandInPost): StandInPost {
    const parent = this.find(post.platform, post.parent)
    return parent === null ? post : this.root(parent)
  }

  listen(listener: (change: PlatformChange) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private publish(operation: PlatformChange['operation'], post: StandInPost): void {
    const change = { seq: this.changes.length + 1, operation, post, at: this.now() }
    this.changes.push(change)
    for (const listener of this.listeners) listener(change)
  }
}

const keyOf = (platform: Platform, id: string) => `${platform}/${id}`

const byAge = (a: StandInPost, b: StandInPost) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)

/** The same article, however its address is written. */
export const sameLink = (a: string | null, b: string): boolean => a !== null && bare(a) === bare(b)

const bare = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '').replace(/[/?#]+$/, '')

/** One page of a list that is asked for by offset. */
export const page = <T>(list: readonly T[], from: number, limit: number) => ({
  items: list.slice(from, from + limit),
  next: from + limit < list.length ? from + limit : null,
})
