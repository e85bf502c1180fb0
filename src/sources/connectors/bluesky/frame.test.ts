import fc from 'fast-check'
import { expect, it } from 'vitest'
import { frameOf } from './frame.ts'

const NAME = 'network.bsky.jetstream.subscribeEvents'
const commit = {
  $type: `${NAME}#commit`,
  seq: 17,
  did: 'did:plc:abc',
  time: '2026-11-20T12:00:00.000Z',
  rev: '3l',
  operation: 'create',
  collection: 'app.bsky.feed.post',
  rkey: '3k',
  record: { text: 'The bridge' },
  cid: 'bafy',
}
const read = (payload: object) => frameOf(JSON.stringify({ $type: 'message', payload }))

it('reads posts and their deletions', () => {
  const uri = 'at://did:plc:abc/app.bsky.feed.post/3k'
  const seenAt = Date.UTC(2026, 10, 20, 12)

  expect(read(commit)).toEqual({ kind: 'post', seq: 17, uri, record: { text: 'The bridge' }, seenAt })
  expect(read({ ...commit, operation: 'update' })).toMatchObject({ kind: 'post', uri })
  expect(read({ ...commit, operation: 'delete', record: undefined })).toEqual({ kind: 'deletion', seq: 17, uri })
})

it('knows a notice from an event that it does not use', () => {
  expect(read({ $type: `${NAME}#info`, name: 'OutdatedCursor' })).toEqual({ kind: 'notice', name: 'OutdatedCursor' })
  expect(read({ ...commit, collection: 'app.bsky.feed.like' })).toEqual({ kind: 'other', seq: 17 })
  expect(read({ $type: `${NAME}#identity`, seq: 18, did: 'did:plc:abc' })).toEqual({ kind: 'other', seq: 18 })
})

it('never fails, whatever comes', () => {
  const whole = JSON.stringify({ $type: 'message', payload: commit })
  expect(frameOf(whole.slice(0, 60))).toEqual({ kind: 'unreadable' })
  expect(read({ ...commit, time: 'now' })).toEqual({ kind: 'unreadable' })

  fc.assert(fc.property(fc.string(), (text) => frameOf(text).kind === 'unreadable'))
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(commit)), fc.jsonValue(), (field, value) => {
      expect(['post', 'deletion', 'other', 'unreadable']).toContain(read({ ...commit, [field]: value }).kind)
    }),
  )
})
