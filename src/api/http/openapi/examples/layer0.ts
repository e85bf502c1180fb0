import type { DocExample } from '../example.ts'

export const submitArticle: DocExample = {
  headers: { 'Idempotency-Key': '0f8fad5b-d9cb-469f-a165-70867728950e' },
  body: {
    text: 'The city council voted on Tuesday to close the old harbour bridge for two years of repairs. Engineers had found cracks in four of its twelve steel arches during an inspection last autumn, the mayor said.',
    metadata: {
      title: 'Harbour bridge to close',
      url: 'https://www.example.com/bridge',
      source: 'Example Times',
      author: 'Ada Smith',
      published_date: '2026-11-22T07:30:00Z',
    },
  },
  answer: {
    job_id: '01M813KTFJY5W0N72B4QHQ3TE7G9FGXPCT8TAQ2D8M',
    article_id: 'art_e7ag5pdlt6lz7exsjzmxfx66y6',
    status: 'queued',
  },
}

export const submitArticles: DocExample = {
  headers: { 'Idempotency-Key': '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
  body: {
    articles: [
      {
        text: 'The city council voted on Tuesday to close the old harbour bridge for two years of repairs. Engineers had found cracks in four of its twelve steel arches during an inspection last autumn, the mayor said.',
        metadata: {
          title: 'Harbour bridge to close',
          url: 'https://www.example.com/bridge',
          source: 'Example Times',
          author: 'Ada Smith',
          published_date: '2026-11-22T07:30:00Z',
        },
      },
      { text: 'Too short.' },
    ],
  },
  answer: {
    jobs: [
      {
        job_id: '01M813KTJ3RA2593BBEKSKRME1H9RS6Z2GDBR7NR6A',
        article_id: 'art_e7ag5pdlt6lz7exsjzmxfx66y6',
        status: 'queued',
      },
      {
        job_id: '01M813KTJ3FNHQCRDQ7CBZ7Z3378VKDBKW1VV9M42Q',
        status: 'failed',
        error: 'text_too_short: the text has fewer than 100 characters',
      },
    ],
    total: 2,
  },
}

export const getJob: DocExample = {
  params: { job_id: '01M813KTFJY5W0N72B4QHQ3TE7G9FGXPCT8TAQ2D8M' },
  answer: {
    job_id: '01M813KTFJY5W0N72B4QHQ3TE7G9FGXPCT8TAQ2D8M',
    article_id: 'art_e7ag5pdlt6lz7exsjzmxfx66y6',
    status: 'completed',
  },
}

export const getArticle: DocExample = {
  params: { article_id: 'art_2p5fteuk6gfonmho7mm7l7xvl7' },
  query: { include_embedding: false },
  answer: {
    article_id: 'art_2p5fteuk6gfonmho7mm7l7xvl7',
    title: null,
    url: 'http://ktla.com/2013/05/03/lohan-may-miss-rehab-deadline-dad-says/',
    source: 'ktla.com',
    author: null,
    published_date: null,
    quality_score: 0.7366,
    genre: 'report',
    quality: { rating: 'Good', depth: 0.6714, coherence: 0.8934, credibility: 0.5, spam: 1 },
    semantic_hash: '45797cff5a0aa0db',
    token_count: 84,
    language: 'en',
    revision: 1,
    forwarded: true,
    gate_reason: 'passed',
    is_duplicate_of: null,
    syndication_group: null,
    derived_from: null,
    created_at: '2026-11-22T07:46:04.819Z',
    processed_at: '2026-11-22T07:46:04.819Z',
    embedding_id: 'emb_e6eek4e5qxl5mmo4cqtmzxbclg',
  },
}

export const getEmbedding: DocExample = {
  params: { embedding_id: 'emb_e6eek4e5qxl5mmo4cqtmzxbclg' },
  answer: {
    embedding_id: 'emb_e6eek4e5qxl5mmo4cqtmzxbclg',
    article_id: 'art_2p5fteuk6gfonmho7mm7l7xvl7',
    revision: 1,
    model: 'afdb6f1a0e45:mix',
    embedding: [-0.024336, -0.0898517, -0.00751555],
    dim: 384,
  },
}

export const searchArticles: DocExample = {
  query: { query: 'earthquake off the coast', limit: 2, level: 'article' },
  answers: {
    articles: {
      query: 'earthquake off the coast',
      results: [
        {
          article_id: 'art_oqr64prhe74uhamqkqjf5jvmt3',
          title: '5. 9 Earthquake Jolts Iran',
          source: 'news.softpedia.com',
          url: 'http://news.softpedia.com/news/5-9-Earthquake-Jolts-Iran-13476.shtml',
          published_date: null,
          quality_score: 0.8055,
          similarity_score: 0.516184,
          distance: 0.483816,
          cluster_id: 'sto_nzoj67vytqprxr4m4mha3gusj6',
        },
        {
          article_id: 'art_qzpjy5nxy6llylsv7r5fvlwncu',
          title: 'Iranian earthquake tremor hits Dubai Sunday, November 27-2005 at',
          source: 'ameinfo.com',
          url: 'http://www.ameinfo.com/72760.html',
          published_date: null,
          quality_score: 0.8285,
          similarity_score: 0.494508,
          distance: 0.505492,
          cluster_id: 'sto_nzoj67vytqprxr4m4mha3gusj6',
        },
      ],
      total: 2,
    },
    tokens: {
      success: true,
      query: 'earthquake',
      results_count: 2,
      results: [
        {
          token_id: 'tok_t6bhdqxw77ohg7weyegng55oum',
          text: 'earthquake',
          distance: 0.258608,
          metadata: {
            title: null,
            source: 'usatoday30.usatoday.com',
            url: 'http://usatoday30.usatoday.com/news/world/2005-11-27-iran-quake_x.htm',
            source_id: 'art_tovifecbpd7xpgzveup4dhynb6',
            published_date: null,
            importance: 1,
            entity_type: 'O',
            pos_tag: 'NOUN',
            context_sentiment: -0.25,
          },
        },
        {
          token_id: 'tok_gekkvypibx4p6ncm5ahtogbfvh',
          text: 'Earthquake',
          distance: 0.262223,
          metadata: {
            title: '5. 9 Earthquake Jolts Iran',
            source: 'news.softpedia.com',
            url: 'http://news.softpedia.com/news/5-9-Earthquake-Jolts-Iran-13476.shtml',
            source_id: 'art_oqr64prhe74uhamqkqjf5jvmt3',
            published_date: null,
            importance: 1,
            entity_type: 'O',
            pos_tag: 'NOUN',
            context_sentiment: 0,
          },
        },
      ],
    },
  },
}
