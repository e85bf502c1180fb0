import { join } from 'node:path'

/** Path of the list of feeds that `story up` watches, in the home. */
export const feedListFile = (home: string): string => join(home, 'feeds.opml')
