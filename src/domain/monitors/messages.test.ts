import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MatchedStoryPayload } from '../../events/changes.ts'
import type { ChannelType } from '../../events/monitors.ts'
import { readMailMessage } from './mail-message.ts'
import { channelMessage, channelTestMessage } from './messages.ts'

const urls = {
  story: (id: string) => `https://news.example.com/#/stories/${id}`,
  unsubscribe: 'https://news.example.com/v1/unsubscribe?token=a&b',
}

const aStory = (over: Partial<MatchedStoryPayload> = {}): MatchedStoryPayload => ({
  cluster_id: 'sto_a',
  title: 'Harbour <bridge> & ferries closed',
  url: 'https://times.example.com/bridge?a=1&b=2',
  source: 'The Times',
  article_ids: ['art_a'],
  article_count: 5,
  origin_count: 3,
  lifecycle_state: 'breaking',
  velocity: 5,
  sentiment_score: -0.2,
  matched_at: '2026-11-22T08:00:00.000Z',
  ...over,
})

const message = (type: ChannelType, stories: readonly MatchedStoryPayload[], monitor_name = 'Rain') =>
  channelMessage(type, { monitor_name, stories }, urls)
const FACTS = 'The Times: 3 independent sources, 5 articles, breaking, 5x the usual rate'

interface SlackBody {
  readonly text: string
  readonly blocks: readonly { readonly type: string; readonly text: { readonly text: string } }[]
}
const slack = (text: string) => JSON.parse(text) as SlackBody

describe('a message to Slack', () => {
  it('links title and story, and escapes what mrkdwn reserves', () => {
    const { text, blocks } = slack(message('slack', [aStory()]))

    expect(text).toBe('Rain: Harbour &lt;bridge&gt; &amp; ferries closed')
    expect(blocks).toEqual([
      { type: 'header', text: { type: 'plain_text', text: 'Rain', emoji: false } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text:
            '*<https://times.example.com/bridge?a=1&amp;b=2|Harbour &lt;bridge&gt; &amp; ferries closed>*\n' +
            `${FACTS}\n<https://news.example.com/#/stories/sto_a|Open the story>`,
        },
      },
    ])
  })

  it('mentions nobody, whatever a title or a monitor is called', () => {
    const { text, blocks } = slack(message('slack', [aStory({ title: '<!channel>', source: '<@U1>' })], '<!here>'))

    expect(blocks[0]).toMatchObject({ text: { type: 'plain_text' } })
    expect([text, blocks[1]?.text.text].join()).not.toMatch(/<[!@]/)
  })

  it('shows ten stories of a digest and counts the others', () => {
    const { blocks } = slack(
      message(
        'slack',
        Array.from({ length: 13 }, () => aStory()),
      ),
    )

    expect(blocks.map(({ text }) => text.text.split('\n')[0])).toEqual([
      'Rain: 13 stories',
      ...Array<string>(10).fill(
        '*<https://times.example.com/bridge?a=1&amp;b=2|Harbour &lt;bridge&gt; &amp; ferries closed>*',
      ),
      'and 3 more',
    ])
  })
})

describe('a message to Teams', () => {
  it('is an Adaptive Card 1.4 whose texts are not read as Markdown', () => {
    expect(JSON.parse(message('teams', [aStory({ title: '[a](http://b) *c*' })]))).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            ...{ type: 'AdaptiveCard', version: '1.4' },
            body: [
              { type: 'RichTextBlock', inlines: [{ text: 'Rain' }] },
              {
                items: [
                  { inlines: [{ text: '[a](http://b) *c*', selectAction: { url: aStory().url } }] },
                  { inlines: [{ text: FACTS }] },
                  { inlines: [{ selectAction: { url: 'https://news.example.com/#/stories/sto_a' } }] },
                ],
              },
            ],
          },
        },
      ],
    })
  })

  it('leaves out stories rather than exceeding 28 kB', () => {
    const large = aStory({
      title: '🌧'.repeat(400),
      url: `https://example.com/${'a'.repeat(950)}`,
      source: '🌧'.repeat(99),
      cluster_id: `sto_${'a'.repeat(300)}`,
    })
    const text = message('teams', Array<MatchedStoryPayload>(10).fill(large))

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(28_000)
    expect(/and [1-9] more/.test(text)).toBe(true)
  })
})

describe('an e-mail', () => {
  it('has text, escaped HTML and the link to unsubscribe', () => {
    const mail = readMailMessage(message('email', [aStory()]))

    expect(mail.subject).toBe('Rain: Harbour <bridge> & ferries closed')
    expect(mail.list_unsubscribe).toBe(urls.unsubscribe)
    expect(mail.text).toContain(
      `Harbour <bridge> & ferries closed\n${FACTS}\nhttps://times.example.com/bridge?a=1&b=2\n`,
    )
    expect(mail.text).toContain(`Unsubscribe: ${urls.unsubscribe}`)
    expect(mail.html).toContain(
      '<a href="https://times.example.com/bridge?a=1&#38;b=2">Harbour &#60;bridge&#62; &#38; ferries closed</a>',
    )
    expect(mail.html).toContain('<a href="https://news.example.com/v1/unsubscribe?token=a&#38;b">Unsubscribe</a>')
  })

  it('links no other scheme than http and https', () => {
    const { html, text } = readMailMessage(message('email', [aStory({ url: 'javascript:alert(1)' })]))

    expect(html + text).not.toContain('javascript:')
  })

  it('names how many stories a digest has', () => {
    expect(readMailMessage(message('email', [aStory(), aStory()])).subject).toBe('Rain: 2 stories')
  })
})

it('leaves out what is unknown', () => {
  const bare = aStory({ title: null, url: null, source: null, lifecycle_state: null, velocity: 0, origin_count: 1 })

  expect(slack(message('slack', [bare])).blocks[1]?.text.text).toBe(
    '*Story without a title*\n1 independent source, 5 articles\n<https://news.example.com/#/stories/sto_a|Open the story>',
  )
})

it.each(['slack', 'teams', 'email'] as const)('says in a test message to %s which monitor it is for', (type) => {
  const text = channelTestMessage(type, 'Rain')

  expect(text).toContain('Rain: test message')
  expect(text).toContain('This channel receives the stories that match the monitor.')
  if (type === 'email') expect(readMailMessage(text).list_unsubscribe).toBeNull()
})

it('no text breaks a subject, a limit of Slack or the size of a card', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '&', '<', '\r', '\n', '\u2028', '雨', '🌧', '"', '|'),
    maxLength: 2_500,
  })
  const story = fc.record({ title: text, source: text, url: text.map((path) => `https://e.example/${path}`) })

  fc.assert(
    fc.property(text, fc.array(story, { minLength: 1, maxLength: 12 }), (name, stories) => {
      const given = stories.map((one) => aStory(one))
      const { blocks } = slack(message('slack', given, name))
      const { subject } = readMailMessage(message('email', given, name))

      expect(subject).not.toMatch(/[\r\n\u2028\u2029]/)
      expect(Array.from(subject).length).toBeLessThanOrEqual(150)
      expect(blocks.length).toBeLessThanOrEqual(50)
      expect(blocks[0]?.text.text.length).toBeLessThanOrEqual(150)
      for (const block of blocks) expect(block.text.text.length).toBeLessThanOrEqual(3_000)
      expect(Buffer.byteLength(message('teams', given, name))).toBeLessThanOrEqual(28_000)
    }),
    { numRuns: 50 },
  )
})
