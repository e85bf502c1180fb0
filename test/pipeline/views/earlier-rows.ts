import { articlesScored, type ArticleScored } from '../../../src/events/articles.ts'
import type { Row } from '../../../src/ports/store.ts'
import { articleRows } from '../../../src/views/articles/project.ts'
import { anInput } from '../../builders/articles.ts'

/** Columns of `articles` that later migrations added. */
const LATER = ['genre', 'text_source']

/** The rows of `articles` as an earlier version of the view wrote them, at offsets from `from`. */
export const earlierRows = (articles: readonly ArticleScored[], from = 0): readonly Row[] =>
  articles
    .flatMap((event, i) => articleRows(anInput(event, { topic: articlesScored.name, offset: from + i })))
    .filter(({ table }) => table === 'articles')
    .map(({ row }) => Object.fromEntries(Object.entries(row).filter(([column]) => !LATER.includes(column))))
