import { parentPort, workerData } from 'node:worker_threads'
import { kafkaClient } from './client.ts'
import { clusterOf, type ClusterBroker } from './cluster.ts'
import {
  BEAT_EVERY_MS,
  LEASE_MS,
  CHECK_EVERY_MS,
  SILENT_MS,
  type HeartbeatOptions,
  type HeartbeatsMembership,
} from './heartbeats.ts'

/**
 * Sends heartbeats for the members of this process while the main thread is busy. It makes no decisions: the main
 * thread learns at its next own heartbeat that a member was removed or must rejoin.
 */
const { options, lifeSigns } = workerData as HeartbeatOptions

const cluster = clusterOf(kafkaClient({ ...options, clientId: `${options.clientId}-heartbeats`, retries: 2 }))
const members = new Map<string, HeartbeatsMembership>()
const coordinators = new Map<string, ClusterBroker>()
const inFlight = new Set<string>()
let connected: Promise<void> | null = null

parentPort?.on('message', ({ group, membership }: { group: string; membership: HeartbeatsMembership | null }) => {
  if (membership === null) members.delete(group)
  else members.set(group, membership)
})

let seen = -1
let seenAt = performance.now()
let beatenAt = 0

setInterval(() => {
  const now = performance.now()
  const sign = Atomics.load(lifeSigns, 0)
  if (sign !== seen) {
    seen = sign
    seenAt = now
    return
  }
  const silentMs = now - seenAt
  if (silentMs < SILENT_MS || silentMs > LEASE_MS || now - beatenAt < BEAT_EVERY_MS) return
  beatenAt = now
  for (const [group, membership] of members) void beat(group, membership)
}, CHECK_EVERY_MS)

async function beat(groupId: string, membership: HeartbeatsMembership): Promise<void> {
  if (inFlight.has(groupId)) return
  inFlight.add(groupId)
  try {
    const coordinator = coordinators.get(groupId) ?? (await coordinatorOf(groupId))
    await coordinator.heartbeat({ groupId, ...membership })
  } catch {
    coordinators.delete(groupId) // it may have moved or be disconnected: look it up at the next heartbeat
  } finally {
    inFlight.delete(groupId)
  }
}

async function coordinatorOf(groupId: string): Promise<ClusterBroker> {
  connected ??= cluster.connect()
  try {
    await connected
  } catch (cause) {
    connected = null
    throw cause
  }
  const found = await cluster.findGroupCoordinator({ groupId })
  coordinators.set(groupId, found)
  return found
}
