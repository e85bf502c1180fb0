import { expect, it } from 'vitest'
import {
  aClusterer,
  inEnglish,
  inOrder,
  inOtherWords,
  live,
  madeUpReport,
} from '../../../../test/builders/clustered.ts'
import { clusteringModel } from '../../../adapters/model-files.ts'
import { dayOf } from '../../../domain/days.ts'
import { allSteps } from '../../../state/steps.ts'
import { noStories } from '../memory.ts'
import { regionOf } from './region.ts'
import { MemberPlacement } from './unit.ts'

it('of an article in another language has the story with the nearest title, whatever else is reported in that hour', () => {
  const others = Array.from({ length: 90 }, (_, outlet) => inOtherWords(madeUpReport({ event: 1, outlet, day: 0 })))
  const original = inEnglish(madeUpReport({ event: 0, outlet: 0, day: 0 }))
  const translated = inOtherWords(madeUpReport({ event: 0, outlet: 1, day: 0 }))
  const { state } = live(aClusterer(), inOrder([...others, original, translated]))
  const stories = state.namespaces.get('shared') ?? noStories()
  const [english, foreign] = [original, translated].map(({ article_id }) => stories.members.get(article_id))
  if (english === undefined || foreign === undefined) throw new Error('an article is missing')
  const placing = new MemberPlacement(stories)
  placing.move([foreign], 'sto_alone')
  const day = dayOf(foreign.features.time)

  const region = allSteps(
    regionOf([foreign], { index: stories.index, placing, window: { from: day, to: day }, model: clusteringModel() }),
  )

  expect(region.stories).toContain('sto_alone')
  expect(region.stories).toContain(english.clusterId)
})
