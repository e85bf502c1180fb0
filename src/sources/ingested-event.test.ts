import { expect, it } from 'vitest'
import { anIngestedArticle } from '../../test/builders/articles.ts'
import { contentHash } from '../events/ids.ts'
import { cleaned } from '../stages/scored/clean-article.ts'
import { ingested } from './ingested-event.ts'

it.each([
  'Harbour bridge to close',
  null,
  '<p></p>',
  '<b>Storm</b> &amp;\n flood',
  `x${'🎉'.repeat(4_000)}`,
  'word '.repeat(900),
])('names the content of an article titled %j as the stage that scores it will', (title) => {
  const article = anIngestedArticle({ title, text: `<p>${'The mayor spoke. '.repeat(9)}</p>\r\n<p>Done&nbsp;</p>` })

  const known = cleaned(article)

  expect(typeof known).toBe('object')
  if (typeof known === 'string') return
  expect(ingested(article, { namespace: 'shared', producer: 'test' }).content_hash).toBe(
    contentHash(known.title, known.text),
  )
})
