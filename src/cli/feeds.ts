import type { Command } from 'commander'
import { testFeeds, type TestOptions } from '../operations/feeds/test-feeds.ts'
import {
  addFeeds,
  listFeeds,
  pauseFeeds,
  removeFeeds,
  resumeFeeds,
  type AddOptions,
  type ChangeOptions,
  type ListOptions,
} from '../operations/feeds/watched-feeds.ts'
import { checkedNamespace } from '../operations/options.ts'
import type { Wiring } from '../ports/wiring.ts'

const OPML = ['--opml <file>', 'also the feeds of an OPML list'] as const

export const feedsCommand = (program: Command, wiring: Wiring): void => {
  const feeds = program
    .command('feeds')
    .description(
      'manage watched feeds: RSS, Atom, JSON Feed, sitemaps; `connector:feeds` polls them and reads their pages',
    )
  feeds
    .command('add')
    .argument('[urls...]', 'addresses of feeds, or of sites whose feed is then looked for')
    .description('watch feeds; each is read once, and those that give no feed are not added')
    .option(...OPML)
    .option('--namespace <namespace>', 'namespace of the articles (default: shared)', checkedNamespace)
    .option('--source <name>', 'outlet of the articles (default: as the page or the feed names it)')
    .option('--no-full-text', 'do not read the pages of items: the text of the feed is the article')
    .option('--unchecked', 'add without reading the feeds first')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'read the feeds, print what would be added, change nothing')
    .action((urls: string[], options: AddOptions) => addFeeds(wiring, urls, options))
  feeds
    .command('list')
    .description('list watched feeds, oldest first; GET /v1/feeds also returns their health')
    .option('--namespace <namespace>', 'only feeds of this namespace', checkedNamespace)
    .option('--json', 'print one JSON object')
    .action((options: ListOptions) => listFeeds(wiring, options))
  changing(feeds, 'remove', 'stop watching feeds; their articles remain').action(
    (named: string[], options: ChangeOptions) => removeFeeds(wiring, named, options),
  )
  changing(feeds, 'pause', 'poll feeds and read their pages no further, until they are resumed').action(
    (named: string[], options: ChangeOptions) => pauseFeeds(wiring, named, options),
  )
  changing(feeds, 'resume', 'poll paused feeds again, within ten minutes').action(
    (named: string[], options: ChangeOptions) => resumeFeeds(wiring, named, options),
  )
  feeds
    .command('test')
    .argument('[urls...]', 'addresses of feeds or sites')
    .description(
      'read feeds once, mark each as ok, quiet (no item for 30 days) or dead, and print what they contain and whether robots.txt allows their pages; fails if one is dead',
    )
    .option(...OPML)
    .option('--json', 'print one JSON object per address')
    .action((urls: string[], options: TestOptions) => testFeeds(wiring, urls, options))
}

/** A command that changes feeds that are watched. */
const changing = (feeds: Command, name: 'remove' | 'pause' | 'resume', description: string): Command =>
  feeds
    .command(name)
    .argument('<feeds...>', 'ids or addresses, from `story feeds list`')
    .description(description)
    .option('--namespace <namespace>', 'namespace in which addresses are looked up (default: shared)', checkedNamespace)
    .option('--json', 'print one JSON object')
    .option('--dry-run', `print what would be ${name === 'remove' ? 'removed' : `${name}d`}, change nothing`)
