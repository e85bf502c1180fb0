import type { Platform } from '../../events/discourse.ts'
import { bluesky } from './bluesky/source.ts'
import type { PlatformConnector } from './platform.ts'
import { reddit } from './reddit/source.ts'
import { twitter } from './twitter/source.ts'

/** Every platform, one entry each. README.md describes how to add one. */
export const PLATFORM_CONNECTORS: Readonly<Record<Platform, PlatformConnector>> = { bluesky, reddit, twitter }
