import { parentPort } from 'node:worker_threads'
import type { ArchivedPage } from '../sources/warc/archived-page.ts'
import { extractPage } from '../sources/warc/extract-page.ts'
import { answerJobs } from './worker-pool.ts'

/** A thread of `pageWorkers`. */
if (parentPort !== null) answerJobs(parentPort, (page) => extractPage(page as ArchivedPage))
