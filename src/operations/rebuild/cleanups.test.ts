import { expect, it } from 'vitest'
import { cleanups, removedRecordsOf, checkCompleteTopics } from './cleanups.ts'

const beginningAt = (offsets: Readonly<Record<string, readonly number[]>>) => ({
  starts: (topic: string) => Promise.resolve(offsets[topic] ?? [0]),
})

it('refuses a topic that should keep everything and does not, and says which and where it begins now', async () => {
  const log = beginningAt({ 'articles.analyzed': [0, 12] })

  await expect(checkCompleteTopics(['graph'], log)).rejects.toThrow(
    /beginning of articles\.analyzed .*: partition 1 begins at offset 12/,
  )
  await expect(checkCompleteTopics(['clusters'], log)).resolves.toBeUndefined()
})

it('does not mind what a log may forget', async () => {
  const log = beginningAt({
    ...{ 'articles.ingested.dead': [90], 'changes.published': [30], 'webhooks.delivered': [30] },
    ...{ 'discourse.polled': [35], 'stories.enriched': [7] },
  })

  await expect(checkCompleteTopics(['jobs', 'changes', 'webhooks', 'echo'], log)).resolves.toBeUndefined()
})

it('knows by the topics’ files how each forgets', async () => {
  const log = beginningAt({ 'changes.published': [30] })
  const read = { 'stories.enriched': [77] }

  expect(await removedRecordsOf('articles.scored', { log, read })).toBeNull()
  expect(await removedRecordsOf('changes.published', { log, read })).toEqual({ how: 'deleted', starts: [30] })
  expect(await removedRecordsOf('stories.enriched', { log, read })).toEqual({ how: 'compacted', ends: [77] })
  expect(cleanups().get('articles.ingested.dead')).toBe('delete')
})
