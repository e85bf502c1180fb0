import type { DocExample } from '../example.ts'

export const getStoryReception: DocExample = {
  params: { story_id: 'sto_hxszq5exepstq4ihbyydl5yoo5' },
  answer: {
    story_id: 'sto_hxszq5exepstq4ihbyydl5yoo5',
    enrichments: [
      {
        platform: 'bluesky',
        thread_urls: ['https://bluesky.example/demonstration/demo_b1'],
        fetched_at: '2026-11-22T07:47:12.588Z',
        updated_at: '2026-11-22T07:47:13.116Z',
        comment_count_analyzed: 3,
        sentiment_score: 0.101833,
        sentiment_label: 'neutral',
        controversy_score: 0,
        dominant_themes: ['billy', 'crystal', 'ellen'],
        editorial_entities: ['Craig Zadan', 'Ellen DeGeneres', 'Fox'],
        public_entities: ['Billy Crystal', 'Ellen DeGeneres'],
        novel_entities: ['Billy Crystal'],
        counter_narrative_detected: false,
        counter_narrative_summary: null,
        counter_narrative_confidence: 0,
        evidence: {
          novel_entities: {
            'Billy Crystal': [
              'https://bluesky.example/demonstration/demo_b2',
              'https://bluesky.example/demonstration/demo_b3',
            ],
          },
          counter_narrative: [],
        },
        sample: {
          posts: 3,
          authors: 3,
          window: { start: '2013-08-02T18:15:00.000Z', end: '2013-08-02T19:20:00.000Z' },
        },
        source_status: 'live',
        age_seconds: 62,
      },
      {
        platform: 'reddit',
        thread_urls: ['https://reddit.example/demonstration/demo_a1'],
        fetched_at: '2026-11-22T07:47:12.588Z',
        updated_at: '2026-11-22T07:47:13.116Z',
        comment_count_analyzed: 6,
        sentiment_score: 0.294733,
        sentiment_label: 'positive',
        controversy_score: 0.0339618,
        dominant_themes: ['amy', 'fey', 'hosting'],
        editorial_entities: ['Craig Zadan', 'Ellen DeGeneres', 'Fox'],
        public_entities: ['Amy Poehler', 'Seth MacFarlane', 'Tina Fey'],
        novel_entities: ['Amy Poehler', 'Tina Fey', 'Academy'],
        counter_narrative_detected: false,
        counter_narrative_summary: null,
        counter_narrative_confidence: 0,
        evidence: {
          novel_entities: {
            'Amy Poehler': [
              'https://reddit.example/demonstration/demo_a2',
              'https://reddit.example/demonstration/demo_a3',
            ],
            'Tina Fey': [
              'https://reddit.example/demonstration/demo_a2',
              'https://reddit.example/demonstration/demo_a3',
            ],
            Academy: ['https://reddit.example/demonstration/demo_a5'],
            'Golden Globes': ['https://reddit.example/demonstration/demo_a3'],
          },
          counter_narrative: [],
        },
        sample: {
          posts: 6,
          authors: 6,
          window: { start: '2013-08-02T18:05:00.000Z', end: '2013-08-02T20:11:00.000Z' },
        },
        source_status: 'live',
        age_seconds: 62,
      },
    ],
    count: 2,
    merged_into: null,
    merged_at: null,
  },
}

export const getStoryReceptions: DocExample = {
  query: { ids: 'sto_hxszq5exepstq4ihbyydl5yoo5,sto_sr3eekx2bvkcggkdj6dmjr3urw' },
  answer: {
    sto_hxszq5exepstq4ihbyydl5yoo5: [
      {
        platform: 'bluesky',
        thread_urls: ['https://bluesky.example/demonstration/demo_b1'],
        fetched_at: '2026-11-22T07:47:12.588Z',
        updated_at: '2026-11-22T07:47:13.116Z',
        comment_count_analyzed: 3,
        sentiment_score: 0.101833,
        sentiment_label: 'neutral',
        controversy_score: 0,
        dominant_themes: ['billy', 'crystal', 'ellen'],
        editorial_entities: ['Craig Zadan', 'Ellen DeGeneres', 'Fox'],
        public_entities: ['Billy Crystal', 'Ellen DeGeneres'],
        novel_entities: ['Billy Crystal'],
        counter_narrative_detected: false,
        counter_narrative_summary: null,
        counter_narrative_confidence: 0,
        evidence: {
          novel_entities: {
            'Billy Crystal': [
              'https://bluesky.example/demonstration/demo_b2',
              'https://bluesky.example/demonstration/demo_b3',
            ],
          },
          counter_narrative: [],
        },
        sample: {
          posts: 3,
          authors: 3,
          window: { start: '2013-08-02T18:15:00.000Z', end: '2013-08-02T19:20:00.000Z' },
        },
        source_status: 'live',
        age_seconds: 62,
      },
      {
        platform: 'reddit',
        thread_urls: ['https://reddit.example/demonstration/demo_a1'],
        fetched_at: '2026-11-22T07:47:12.588Z',
        updated_at: '2026-11-22T07:47:13.116Z',
        comment_count_analyzed: 6,
        sentiment_score: 0.294733,
        sentiment_label: 'positive',
        controversy_score: 0.0339618,
        dominant_themes: ['amy', 'fey', 'hosting'],
        editorial_entities: ['Craig Zadan', 'Ellen DeGeneres', 'Fox'],
        public_entities: ['Amy Poehler', 'Seth MacFarlane', 'Tina Fey'],
        novel_entities: ['Amy Poehler', 'Tina Fey', 'Academy'],
        counter_narrative_detected: false,
        counter_narrative_summary: null,
        counter_narrative_confidence: 0,
        evidence: {
          novel_entities: {
            'Amy Poehler': [
              'https://reddit.example/demonstration/demo_a2',
              'https://reddit.example/demonstration/demo_a3',
            ],
            'Tina Fey': [
              'https://reddit.example/demonstration/demo_a2',
              'https://reddit.example/demonstration/demo_a3',
            ],
            Academy: ['https://reddit.example/demonstration/demo_a5'],
            'Golden Globes': ['https://reddit.example/demonstration/demo_a3'],
          },
          counter_narrative: [],
        },
        sample: {
          posts: 6,
          authors: 6,
          window: { start: '2013-08-02T18:05:00.000Z', end: '2013-08-02T20:11:00.000Z' },
        },
        source_status: 'live',
        age_seconds: 62,
      },
    ],
    missing: ['sto_sr3eekx2bvkcggkdj6dmjr3urw'],
  },
}

export const listDisputedStories: DocExample = {
  query: { min_controversy: 0, limit: 1 },
  answer: {
    results: [
      {
        story_id: 'sto_hxszq5exepstq4ihbyydl5yoo5',
        story_title: 'Ellen DeGeneres Set As Oscars Host For 2014 Academy Awards',
        platform: 'reddit',
        sentiment_score: 0.294733,
        sentiment_label: 'positive',
        controversy_score: 0.0339618,
        dominant_themes: ['amy', 'fey', 'hosting'],
        editorial_entities: ['Craig Zadan', 'Ellen DeGeneres', 'Fox'],
        public_entities: ['Amy Poehler', 'Seth MacFarlane', 'Tina Fey'],
        novel_entities: ['Amy Poehler', 'Tina Fey', 'Academy'],
        counter_narrative_detected: false,
        counter_narrative_summary: null,
        counter_narrative_confidence: 0,
        comment_count_analyzed: 6,
        updated_at: '2026-11-22T07:47:13.116Z',
        article_velocity: 5,
        lifecycle_state: 'breaking',
      },
    ],
    count: 1,
    filters: { min_controversy: 0, counter_narrative_only: false, limit: 2, platform: null },
    next_cursor:
      'X2lvcU9ySXhMdXFieyJhdCI6eyJhc19vZiI6MTc5NTMzMzY5NTUyMiwid3JpdHRlbl9ieSI6MTc5NTMzMzYzMzExNiwicmFuayI6MCwic2Vjb25kX3JhbmsiOjE3OTUzMzM2MzMxMTYsImlkIjoic3RvX2h4c3pxNWV4ZXBzdHE0aWhieXlkbDV5b281IiwicGxhdGZvcm0iOiJibHVlc2t5In0sImZvciI6InlHUnVGcDNFd1BObSJ9',
  },
}

export const searchReceptions: DocExample = {
  query: { limit: 1 },
  answer: {
    results: [
      {
        story_id: 'sto_hxszq5exepstq4ihbyydl5yoo5',
        story_title: 'Ellen DeGeneres Set As Oscars Host For 2014 Academy Awards',
        platform: 'bluesky',
        sentiment_score: 0.101833,
        sentiment_label: 'neutral',
        controversy_score: 0,
        dominant_themes: ['billy', 'crystal', 'ellen'],
        editorial_entities: ['Craig Zadan', 'Ellen DeGeneres', 'Fox'],
        public_entities: ['Billy Crystal', 'Ellen DeGeneres'],
        novel_entities: ['Billy Crystal'],
        counter_narrative_detected: false,
        counter_narrative_summary: null,
        counter_narrative_confidence: 0,
        comment_count_analyzed: 3,
        updated_at: '2026-11-22T07:47:13.116Z',
        article_velocity: 5,
        lifecycle_state: 'breaking',
      },
    ],
    count: 1,
    filters: {
      entity: null,
      entity_scope: 'any',
      topic: null,
      counter_narrative: null,
      min_controversy: null,
      platform: null,
      limit: 2,
      offset: 0,
    },
    next_cursor:
      'UHdWYTVrSzN5enUzeyJhdCI6eyJhc19vZiI6MTc5NTMzMzY5NTAxNywid3JpdHRlbl9ieSI6MTc5NTMzMzYzMzExNiwicmFuayI6MTc5NTMzMzYzMzExNiwic2Vjb25kX3JhbmsiOjAsImlkIjoic3RvX2h4c3pxNWV4ZXBzdHE0aWhieXlkbDV5b281IiwicGxhdGZvcm0iOiJyZWRkaXQifSwiZm9yIjoibzNvVVkwMU5Jc0dXIn0',
  },
}
