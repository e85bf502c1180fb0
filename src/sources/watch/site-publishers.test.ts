import { expect, it } from 'vitest'
import { SitePublishers } from './site-publishers.ts'

it('knows the publisher of a site by its other pages', () => {
  const publishers = new SitePublishers()
  publishers.observe('www.times.co.uk', 'The Times')

  expect(['sport.times.co.uk:8080', 'www.echo.co.uk'].map((host) => publishers.of(host))).toEqual(['The Times', null])
})

it('knows none where no name is that of more than half of the pages', () => {
  const publishers = new SitePublishers()
  for (const name of ['The Times', 'Echo', 'The Times', 'Porthaven Post'])
    publishers.observe('www.portal.example', name)

  expect(publishers.of('www.portal.example')).toBeNull()
})

it('keeps the name that most pages have, also where a page names another', () => {
  const publishers = new SitePublishers()
  for (const name of ['Reuters', 'The Times', 'The Times', 'Echo', 'The Times'])
    publishers.observe('www.times.co.uk', name)

  expect(publishers.of('www.times.co.uk')).toBe('The Times')
})
