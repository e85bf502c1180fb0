import { readGenreModel } from '../../adapters/model-files.ts'
import { describe, expect, it } from 'vitest'
import { A_DAY, A_REPORT, anIngestedArticle, anInput, axisVector } from '../../../test/builders/articles.ts'
import { asEncoder } from '../../../test/builders/encoder.ts'
import { aTokenReading } from '../../../test/builders/tokens.ts'
import type { ArticleScored } from '../../events/articles.ts'
import { vectors } from '../../events/vector.ts'
import { parseCredibility } from '../../language/quality/credibility.ts'
import type { Encoder, Passage, PassageVectors } from '../../ports/encoder.ts'
import { STAGES } from '../../events/stages.ts'
import type { StageOutcome } from '../../runtime/shapes.ts'
import { scored } from './stage.ts'

/** Test double: records its inputs. Titles, leads, articles and terms each have a vector direction of their own. */
function aRecordingEncoder() {
  const calls: (readonly Passage[])[] = []
  const encoder: Encoder = {
    ...asEncoder({
      model: 'test',
      dim: 384,
      sentences: (texts) => Promise.resolve(texts.map(() => axisVector(0))),
      leads: (articles) => Promise.resolve(articles.map(() => axisVector(1))),
      close: async () => undefined,
    }),
    passages: async (passages) => {
      calls.push(passages)
      return Promise.resolve(passages.map(vectorsOf))
    },
  }
  return { encoder, calls }
}

const vectorsOf = ({ title, terms }: Passage): PassageVectors => ({
  title: axisVector(title === '' ? 1 : 0),
  lead: axisVector(1),
  article: axisVector(2),
  terms: terms.map((_, i) => axisVector(10 + i)),
})

const tokens = aTokenReading()

const credibility = parseCredibility(
  JSON.stringify({
    classes: { agency: { score: 0.95, why: 'test' } },
    domains: { 'reuters.com': { class: 'agency', names: ['Reuters'], why: 'test' } },
  }),
)

const aStage = (encoder: Encoder = aRecordingEncoder().encoder) =>
  scored({ encoder, crossEncoder: null, credibility, genres: readGenreModel(), tokens, gate: 0.53 })
const emitted = (outcome: StageOutcome<ArticleScored> | undefined): ArticleScored => {
  const [event] = outcome?.kind === 'emit' ? outcome.events : []
  if (event === undefined) throw new Error(`Expected an event, got ${JSON.stringify(outcome)}`)
  return event
}
const score = async (over: Parameters<typeof anIngestedArticle>[0] = {}, place: Parameters<typeof anInput>[1] = {}) =>
  emitted((await aStage().handle([anInput(anIngestedArticle(over), place)]))[0])

describe('scored', () => {
  it('scores a report and forwards it', async () => {
    const event = await score()

    expect(event).toMatchObject({
      namespace: 'shared',
      language: 'en',
      dated: true,
      forwarded: true,
      gate_reason: 'passed',
      occurred_at: A_DAY,
      title: 'Harbour bridge to close for two years',
      url: 'https://www.example.com/news/harbour-bridge',
      caused_by: { topic: 'articles.ingested', partition: 0, offset: 0 },
      produced_by: STAGES.scored,
    })
    expect(event.article_id).toMatch(/^art_[a-z2-7]{26}$/)
    expect(event.semantic_hash).toMatch(/^[0-9a-f]{16}$/)
    expect(event.quality_score).toBeGreaterThan(0.53)
    expect(event.token_count).toBe(A_REPORT.match(/[\w']+/g)?.length)
  })

  it('says how the article is written', async () => {
    expect((await score()).genre).toBe('report')
    expect((await score({ url: 'https://www.example.com/news/live/2016/may/03/bridge' })).genre).toBe('live_blog')
  })

  it('names each vector after its model and kind, all of unit length', async () => {
    const { title_vector, lead_vector, embedding, embedding_id } = await score()

    expect([title_vector, lead_vector, embedding].map(({ model, dim, dtype }) => `${model} ${dtype} ${dim}`)).toEqual([
      'test:title f32 384',
      'test:lead f32 384',
      'test:mix f32 384',
    ])
    expect(vectors(embedding).map((vector) => Math.hypot(...vector))[0]).toBeCloseTo(1, 5)
    expect(embedding_id).toMatch(/^emb_/)
  })

  it('asks the encoder once for everything of a batch', async () => {
    const { encoder, calls } = aRecordingEncoder()
    const batch = [{}, { title: null }, { text: 'short' }, { title: 'Other' }].map((over, offset) =>
      anInput(anIngestedArticle(over), { offset }),
    )

    const outcomes = await aStage(encoder).handle(batch)

    expect(outcomes.map(({ kind }) => kind)).toEqual(['emit', 'emit', 'reject', 'emit'])
    expect(calls.map((call) => call.map(({ title }) => title))).toEqual([
      ['Harbour bridge to close for two years', '', 'Other'],
    ])
    expect(calls[0]?.[0]?.sentences[0]).toMatch(/^The city council voted/)
  })

  it('names the words that the article is about, with a vector each', async () => {
    const { tokens: found, token_vectors } = await score()

    expect(found.slice(0, 3).map(({ text }) => text)).toEqual(['Harbour bridge', 'bridge', 'council'])
    expect(found[0]).toMatchObject({ pos_tag: 'PROPN', importance: 1 })
    expect(token_vectors).toMatchObject({ model: 'test:term-alone', dim: 384, dtype: 'i8' })
    expect(vectors(token_vectors)).toEqual(found.map((_, i) => axisVector(10 + i)))
  })

  it('leaves out the tokens that stand outside of the windows, and the most important of the rest counts 1', async () => {
    const { encoder } = aRecordingEncoder()
    const narrow: Encoder = {
      ...encoder,
      passages: (passages) =>
        Promise.resolve(
          passages.map((passage) => {
            const whole = vectorsOf(passage)
            return { ...whole, terms: whole.terms.map((vector, i) => (i % 2 === 0 ? null : vector)) }
          }),
        ),
    }
    const whole = (await score()).tokens

    const [outcome] = await aStage(narrow).handle([anInput(anIngestedArticle())])
    const { tokens: left, token_vectors } = emitted(outcome)

    expect(left.map(({ text }) => text)).toEqual(whole.filter((_, i) => i % 2 === 1).map(({ text }) => text))
    expect(left[0]?.importance).toBe(1)
    expect(vectors(token_vectors)).toHaveLength(left.length)
  })

  it.each([
    ['without a title', { title: null }],
    ['only its headline', { title: 'Rain '.repeat(30).trim(), text: 'Rain '.repeat(30).trim() }],
    ['in Chinese', { title: '港口大桥将关闭', text: '市议会周二投票决定关闭旧港大桥两年进行维修。'.repeat(8) }],
    ['in Arabic', { title: null, text: 'صوت مجلس المدينة يوم الثلاثاء على إغلاق جسر الميناء القديم. '.repeat(5) }],
    [
      'of 200,000 characters',
      { text: 'The mayor of Springfield spoke again. '.repeat(5_263).slice(0, 200_000).trim() },
    ],
    ['of 200,000 characters without a blank', { text: 'x'.repeat(200_000) }],
    ['of nothing but digits', { title: null, text: '1234567890 '.repeat(20) }],
    ['of nothing but emoji', { title: '🎉🎉', text: '🎉👩‍👩‍👧'.repeat(40) }],
  ])('reads a text %s', async (_, over) => {
    const event = await score(over)

    expect(event.tokens.length).toBeLessThanOrEqual(24)
    expect(event.tokens.every(({ text }) => text.trim() !== '')).toBe(true)
    expect(vectors(event.token_vectors)).toHaveLength(event.tokens.length)
    expect(event.tokens.slice(0, 1).every(({ importance }) => importance === 1)).toBe(true)
  })

  it('does not trouble the encoder with a batch of refusals', async () => {
    const { encoder, calls } = aRecordingEncoder()

    expect(await aStage(encoder).handle([anInput(anIngestedArticle({ text: '' }))])).toEqual([
      { kind: 'reject', reason: 'text_too_short', fault: 'producer' },
    ])
    expect(calls).toEqual([])
  })

  it('takes the lead for the title where there is none', async () => {
    const { title_vector, lead_vector } = await score({ title: null })

    expect(title_vector.data.equals(lead_vector.data)).toBe(true)
  })

  it('does not read a leading copy of the title as body, but keeps it in the text', async () => {
    const title = 'Harbour bridge to close for two years'
    const plain = await score({ title })
    const doubled = await score({ title, text: `${title}\n\n${A_REPORT}` })

    expect(doubled.semantic_hash).toBe(plain.semantic_hash)
    expect(doubled.text).toContain(title)
  })

  it('lets time be the arrival where no date was given', async () => {
    expect(await score({ published_date: null }, { loggedAt: 777 })).toMatchObject({
      occurred_at: 777,
      dated: false,
      published_date: null,
    })
  })

  it('holds junk back in the shared namespace and lets it pass in a private one', async () => {
    const text = 'Home\nNews\nSport\nWeather\nSign in\nSearch\n'.repeat(6)

    expect(await score({ text })).toMatchObject({ forwarded: false, gate_reason: 'below_gate' })
    expect(await score({ text, namespace: 'acme' })).toMatchObject({ forwarded: true, gate_reason: 'private_bypass' })
  })

  it('thinks more of an agency than of a stranger', async () => {
    const [agency, stranger] = [await score({ url: 'https://www.reuters.com/x' }), await score()]

    expect(agency.quality_score - stranger.quality_score).toBeCloseTo(0.2 * 0.45, 3)
  })

  it('gives the same article the same id, whatever its address is dressed in', async () => {
    const [plain, dressed] = [
      await score(),
      await score({ url: 'http://m.example.com/news/harbour-bridge/?utm_source=x#top' }),
    ]

    expect(dressed.article_id).toBe(plain.article_id)
    expect(dressed.content_hash).toBe(plain.content_hash)
  })

  it('emits the same event for the same input, and another id for another place', async () => {
    expect(await score()).toEqual(await score())
    expect((await score({}, { offset: 1 })).event_id).not.toBe((await score()).event_id)
    expect((await score({ event_id: 'e1' }, { offset: 1 })).event_id).toBe((await score({ event_id: 'e1' })).event_id)
  })

  it('throws, to be tried again, when the encoder is away', async () => {
    const away: Encoder = {
      ...aRecordingEncoder().encoder,
      passages: () => Promise.reject(new Error('away')),
    }

    await expect(aStage(away).handle([anInput(anIngestedArticle())])).rejects.toThrow('away')
  })
})
