import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { changedSettings, settingsHere, settingsOfRunning } from './settings.ts'
import { writeRunning } from '../wiring/up/steps.ts'

let home: string
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'story-settings-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const env = (more: Readonly<Record<string, string>> = {}) => ({ STORY_HOME: home, ...more })
const write = (text: string) => writeFileSync(join(home, 'settings.env'), text)
const of = (settings: ReturnType<typeof settingsHere>, name: string) =>
  settings.find(({ variable }) => variable === name)

describe('settings.env of a home', () => {
  it('holds where the environment says nothing, and for ports too', () => {
    write('QUALITY_GATE=0.85\nPORT=8099\nLOG_LEVEL=warn\n')

    expect(loadConfig(env())).toMatchObject({ quality: { gate: 0.85 }, http: { port: 8099 }, setPorts: { http: 8099 } })
    expect(loadConfig(env({ QUALITY_GATE: '0.6', LOG_LEVEL: '' }))).toMatchObject({
      quality: { gate: 0.6 },
      logLevel: 'info',
    })
  })

  it('is refused with the line, and without the value', () => {
    write('# ours\nQUALITY_GATE=sesame\nTWITER_BEARER_TOKEN=sesame\n')

    expect(() => loadConfig(env())).toThrow(
      /settings\.env line 2: QUALITY_GATE: [\s\S]*line 3: TWITER_BEARER_TOKEN is no/,
    )
    expect(() => loadConfig(env())).not.toThrow(/sesame/)
  })
})

describe('the settings that are shown', () => {
  it('are those of the running service, and what this shell has otherwise is marked', () => {
    const mail = { SMTP_URL: 'smtp://wren:sesame@mail.example.com' }
    const started = env({ QUALITY_GATE: '0.85', TWITTER_BEARER_TOKEN: 'sesame', LOG_LEVEL: 'info', ...mail })
    writeRunning(home, { PORT: '8081' }, changedSettings(started))

    const shown = settingsOfRunning(env(), home)

    expect(of(shown, 'QUALITY_GATE')).toEqual({
      variable: 'QUALITY_GATE',
      value: '0.85',
      from: 'story up',
      here: '0.53',
    })
    expect(of(shown, 'PORT')).toEqual({ variable: 'PORT', value: '8081', from: 'story up' })
    expect(of(shown, 'LOG_LEVEL')).toEqual({ variable: 'LOG_LEVEL', value: 'info', from: 'default' })
    expect(of(shown, 'TWITTER_BEARER_TOKEN')).toMatchObject({ value: '(set)', here: null })
    expect(of(settingsOfRunning(started, home), 'QUALITY_GATE')).not.toHaveProperty('here')
    expect(JSON.stringify(shown)).not.toContain('sesame')
  })

  it('are those of this shell where nothing runs, each with where it comes from', () => {
    write('QUALITY_GATE=0.85\n')

    const shown = settingsHere(env({ DRAIN_SECONDS: '3' }))

    expect(of(shown, 'QUALITY_GATE')).toMatchObject({ value: '0.85', from: 'settings.env' })
    expect(of(shown, 'DRAIN_SECONDS')).toMatchObject({ value: '3', from: 'environment' })
    expect(of(shown, 'REJECT_FLOOD')).toMatchObject({ value: '50', from: 'default' })
  })

  it('leave what other commands read of running.json as it was', () => {
    writeRunning(home, { PORT: '8081' }, { QUALITY_GATE: '0.85' })

    expect(loadConfig(env())).toMatchObject({ http: { port: 8081 }, quality: { gate: 0.53 } })
  })
})
