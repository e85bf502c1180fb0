import { parentPort } from 'node:worker_threads'
import { extractPage, type CrawledPage } from '../sources/pages/extract-page.ts'
import { answerJobs } from './worker-pool.ts'

/** A thread of `pageWorkers`. */
if (parentPort !== null) answerJobs(parentPort, (page) => extractPage(page as CrawledPage))
