import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { readPosts, readRumourEval, threadsMovedTo } from './read-posts.ts'
import { startStandIn } from './stand-in.ts'

/**
 * `npx tsx test/platforms/main.ts [--port N] [--posts FILE.jsonl] [--rumoureval FILE.jsonl.gz]`
 * Serves posts in place of the platforms until it is stopped; prints the environment variables that lead a service here.
 * Threads begin an hour ago, since platforms search the last days.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8099' },
    posts: { type: 'string', default: 'samples/posts/demonstration.jsonl' },
    rumoureval: { type: 'string' },
  },
})
const posts = [
  ...readPosts(values.posts),
  ...(values.rumoureval === undefined ? [] : readRumourEval(values.rumoureval)),
]
const standIn = await startStandIn({ posts: threadsMovedTo(Date.now() - 3_600_000, posts), port: Number(values.port) })
console.log(JSON.stringify(standIn.env))
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await standIn.stop()
