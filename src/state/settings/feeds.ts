import { feedsChanged, type FeedChanged } from '../../events/sources.ts'
import { SettingBook } from './setting-book.ts'

/** Every watched feed in `feeds.changed`. */
export class FeedBook extends SettingBook<FeedChanged> {
  constructor() {
    super(feedsChanged)
  }
}
