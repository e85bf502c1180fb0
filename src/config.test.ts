import { describe, expect, it } from 'vitest'
import { printable } from './cli/config.ts'
import { loadConfig } from './config.ts'
import { LIFECYCLE } from './events/lifecycle-rules.ts'

const lifecycleOf = (given?: unknown) =>
  loadConfig({ STORY_HOME: '/nowhere', ...(given === undefined ? {} : { LIFECYCLE: JSON.stringify(given) }) }).lifecycle

describe('the numbers of the lifecycle', () => {
  it('are those decided where nothing is said', () => {
    expect(lifecycleOf()).toEqual(LIFECYCLE)
    expect(lifecycleOf({})).toEqual(LIFECYCLE)
    expect(loadConfig({ STORY_HOME: '/nowhere', LIFECYCLE: '' }).lifecycle).toEqual(LIFECYCLE)
  })

  it('are each what is said, and the others as decided', () => {
    expect(lifecycleOf({ breaking: { origins: 5 }, contested: { leaves: { confidence: 0.4 } } })).toEqual({
      ...LIFECYCLE,
      breaking: { ...LIFECYCLE.breaking, origins: 5 },
      contested: { ...LIFECYCLE.contested, leaves: { controversy: 0.5, confidence: 0.4 } },
    })
  })

  it('can all be said', () => {
    const all = {
      breaking: { youngMs: 1, windowMs: 2, origins: 3 },
      developing: { youngMs: 4, windowMs: 5, shareOfPeak: 0.6 },
      mature: { youngMs: 7 },
      contested: {
        platforms: ['twitter'],
        freshMs: 8,
        activeMs: 9,
        posts: 10,
        enters: { controversy: 0.9, confidence: 0.8 },
        leaves: { controversy: 0.7, confidence: 0.6 },
        aheadMs: 11,
      },
    }
    expect(lifecycleOf(all)).toEqual(all)
    expect(Object.keys(all)).toEqual(Object.keys(LIFECYCLE))
    expect(Object.keys(all.contested)).toEqual(Object.keys(LIFECYCLE.contested))
  })

  it.each([
    [{ breaking: { origins: 0 } }, 'at LIFECYCLE.breaking.origins'],
    [{ mature: { youngMs: '3 days' } }, 'at LIFECYCLE.mature.youngMs'],
    [{ mature: { young: 1 } }, 'Unrecognized key: "young"'],
    [{ developing: { shareOfPeak: 25 } }, 'at LIFECYCLE.developing.shareOfPeak'],
    [{ finished: {} }, 'Unrecognized key: "finished"'],
    [{ contested: { platforms: ['facebook'] } }, 'at LIFECYCLE.contested.platforms[0]'],
    [{ contested: { enters: { controversy: 0.4 } } }, 'at LIFECYCLE.contested.leaves'],
    [[], 'at LIFECYCLE'],
  ])('are refused with what is wrong: %j', (given, message) => {
    expect(() => lifecycleOf(given)).toThrow(message)
  })

  it('are refused where they are no JSON', () => {
    expect(() => loadConfig({ STORY_HOME: '/nowhere', LIFECYCLE: '6 hours' })).toThrow('expected a JSON object')
  })
})

describe('the credentials of public platforms', () => {
  const secrets = {
    ...{
      REDDIT_CLIENT_ID: 'reddit-id',
      REDDIT_CLIENT_SECRET: 'sesame-1',
      REDDIT_USER_AGENT: 'linux:story:1 (by /u/wren)',
    },
    ...{ BLUESKY_IDENTIFIER: 'wren.example', BLUESKY_APP_PASSWORD: 'sesame-2', TWITTER_BEARER_TOKEN: 'sesame-3' },
  }
  const connectors = (env: Readonly<Record<string, string>> = {}) =>
    loadConfig({ STORY_HOME: '/nowhere', ...env }).connectors

  it('switch a connector on only where all of a platform are set', () => {
    expect(connectors()).toMatchObject({ reddit: null, bluesky: null, twitter: null, namespaces: ['shared'] })
    expect(connectors({ ...secrets, REDDIT_USER_AGENT: '', TWITTER_BEARER_TOKEN: '' })).toMatchObject({
      ...{ reddit: null, twitter: null, bluesky: { identifier: 'wren.example', url: 'https://bsky.social' } },
    })
    expect(connectors(secrets)).toMatchObject({
      reddit: { clientId: 'reddit-id', authUrl: 'https://www.reddit.com', apiUrl: 'https://oauth.reddit.com' },
      twitter: { url: 'https://api.x.com', postsPerMonth: 10_000 },
    })
  })

  it('are not printed with the configuration', () => {
    const shown = JSON.stringify(printable(loadConfig({ STORY_HOME: '/nowhere', ...secrets })))

    expect(shown).toContain('"identifier":"wren.example"')
    expect(shown).not.toContain('sesame')
  })
})
