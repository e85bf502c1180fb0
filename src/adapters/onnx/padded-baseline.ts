import { openSession } from './session.ts'
import { loadTokenizer, marks } from './vocabulary.ts'
import { leadWindow, sentenceWindow } from './windows.ts'

/** The standard setup, for comparison: the fp32 model, batches padded to the longest window. */
export interface Baseline {
  /** Encodes the windows that Layer 0 reads of these articles, titles and leads, each as one padded batch. */
  articles(articles: readonly { readonly title: string; readonly body: string }[]): Promise<void>
  /** Encodes the windows that Layer 1 reads of one article, its sentences, as one padded batch. */
  sentences(texts: readonly string[]): Promise<void>
}

export async function paddedBaseline(onnx: string, tokenizerFile: string): Promise<Baseline> {
  const tokenizer = await loadTokenizer(tokenizerFile)
  const ids = (text: string): readonly number[] => tokenizer.encode(text, { add_special_tokens: false }).ids
  const [first, last] = marks(tokenizer)
  const marked = (window: readonly number[]): readonly number[] => [first, ...window, last]
  const session = await openSession(onnx)
  return {
    articles: async (articles) => {
      const titled = articles.filter(({ title }) => title !== '')
      await session(articles.map((article) => marked(leadWindow(ids, article))))
      if (titled.length > 0) await session(titled.map(({ title }) => marked(sentenceWindow(ids, title))))
    },
    sentences: async (texts) => {
      if (texts.length > 0) await session(texts.map((text) => marked(sentenceWindow(ids, text))))
    },
  }
}
