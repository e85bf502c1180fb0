import { fraction, mixPair } from './mixing.ts'
import { Vocabulary, type WordText } from './vocabulary.ts'

interface BaseText {
  readonly title: string
  readonly text: string
}

export interface TextSeeds {
  readonly event: number
  readonly own: number
}

/** The share of sentences that come from the base article of the event; the others are the article's own. */
const SHARED_SENTENCES = 0.77
/** The share of the event's sentences, apart from the first, that an article leaves out. */
const LEFT_OUT = 0.45

interface ReadBase {
  readonly title: WordText
  readonly body: WordText
}

/**
 * Recombines the sentences of base articles. An event is reported in the sentences of one base article, with its own
 * names, rare words and numbers. Each article picks some of them, in order, and adds sentences of a base article of its
 * own. It is as long as a third base article.
 */
export function textWriter(given: readonly BaseText[], articles: number) {
  const vocabulary = new Vocabulary()
  const bases = given.map(({ title, text }, i): ReadBase => ({
    title: vocabulary.read(title, i),
    body: vocabulary.read(text, i),
  }))
  const read = bases.flatMap(({ title, body }) => [title, body])
  vocabulary.complete(read, { bases: bases.length, articles })
  const baseFor = (seed: number, use: number): ReadBase | undefined => bases[mixPair(seed, use) % bases.length]
  return (seeds: TextSeeds): BaseText => {
    const shared = baseFor(seeds.event, 0)
    const own = baseFor(seeds.own, 1)
    const length = baseFor(seeds.own, 2)?.body.words.length ?? 0
    if (shared === undefined || own === undefined) throw new Error('there are no base articles')
    return {
      title: wholeText(shared.title, seeds, vocabulary),
      text: body({ shared: shared.body, own: own.body, length }, seeds, vocabulary),
    }
  }
}

interface BodySources {
  readonly shared: WordText
  readonly own: WordText
  /** In words. */
  readonly length: number
}

/** Sentences in the order of their sources. A source that is used up begins again. */
function body({ shared, own, length }: BodySources, seeds: TextSeeds, vocabulary: Vocabulary): string {
  const parts: string[] = []
  const ownSeeds = { event: seeds.own, own: seeds.own }
  const next = { shared: 0, own: mixPair(seeds.own, 4) % sentences(own) }
  for (let words = 0, step = 0; words < length; step++) {
    const isShared = fraction(mixPair(seeds.own, 50 + step)) < SHARED_SENTENCES
    const source = isShared ? shared : own
    const at = (isShared ? next.shared++ : next.own++) % sentences(source)
    if (isShared && at > 0 && fraction(mixPair(seeds.own, 10_000 + at)) < LEFT_OUT) continue
    words += writeSentence(parts, { source, at, seeds: isShared ? seeds : ownSeeds }, vocabulary)
  }
  return parts.join('').trim()
}

const sentences = ({ starts }: WordText): number => Math.max(1, starts.length - 1)

function wholeText(source: WordText, seeds: TextSeeds, vocabulary: Vocabulary): string {
  const parts: string[] = []
  for (let at = 0; at < source.starts.length - 1; at++) writeSentence(parts, { source, at, seeds }, vocabulary)
  return parts.join('').trim()
}

interface SentencePlace {
  readonly source: WordText
  readonly at: number
  readonly seeds: TextSeeds
}

/** Returns the number of words; 1 for an empty sentence, so that a text ends. */
function writeSentence(parts: string[], { source, at, seeds }: SentencePlace, vocabulary: Vocabulary): number {
  const [from, to] = [source.starts[at] ?? 0, source.starts[at + 1] ?? 0]
  for (let i = from; i < to; i++) {
    parts.push(vocabulary.replacementOf(source.words[i] ?? 0, seeds), vocabulary.gap(source.after[i] ?? 0))
  }
  if (at === sentences(source) - 1) parts.push('\n')
  return Math.max(1, to - from)
}
