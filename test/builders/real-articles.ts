import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { projectPath } from '../../src/config/project-path.ts'

const ALLSIDES = projectPath('../shared/data/stories/allsides-2016-2018.jsonl.gz')
const SAMPLE = projectPath('samples/ecbplus.jsonl.gz')

export interface RealArticle {
  readonly title: string
  readonly url: string
  readonly text: string
  readonly published_date: string
}

const Line = z.object({ title: z.string(), url: z.string(), text: z.string(), published_date: z.string().optional() })

/**
 * Real news articles in date order: the labelled set where it lies beside the project, else the shipped sample, ten articles
 * a day from 1 March 2016.
 */
export function realArticles(): readonly RealArticle[] {
  const file = existsSync(ALLSIDES) ? ALLSIDES : SAMPLE
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
  return lines.map((line, i) => {
    const { published_date = dayOf(i), ...article } = Line.parse(JSON.parse(line))
    return { ...article, published_date }
  })
}

const dayOf = (i: number): string => new Date(Date.UTC(2016, 2, 1 + Math.floor(i / 10), 12)).toISOString()
