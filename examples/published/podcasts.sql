-- Podcasts (RyanQuey/java-podcast-processor): podcasts by language, their episodes, searches by term.
-- @keyspace podcasts

CREATE TABLE podcasts (
  api         text NOT NULL,                            -- @distinct 1
  api_id      text NOT NULL,
  feed_url    text NOT NULL UNIQUE,
  language    text NOT NULL,                            -- @distinct 100 @skew zipf 1.1
  name        text,
  author      text,
  description text,                                     -- @bytes 1KB
  PRIMARY KEY (api, api_id)
);

CREATE TABLE episodes (
  podcast_api    text NOT NULL,
  podcast_api_id text NOT NULL,
  episode_guid   text NOT NULL,
  title          text,
  summary        text,                                  -- @bytes 1KB
  published_date date,
  PRIMARY KEY (podcast_api, podcast_api_id, episode_guid),
  FOREIGN KEY (podcast_api, podcast_api_id) REFERENCES podcasts  -- @each 100 p99 1k max 10k
);

-- @rows 10k
CREATE TABLE search_queries (
  term          text NOT NULL,                          -- @distinct 10k
  external_api  text NOT NULL,                          -- @distinct 1
  search_type   text NOT NULL,                          -- @distinct 3
  podcast_count int,
  result_json   text,                                   -- @bytes 20KB
  PRIMARY KEY (term, external_api, search_type)
);

-- @table podcasts @rows 500k

-- name: PodcastsByLanguage :many
-- @rate 10/s
SELECT language, feed_url, api, api_id, name, author, description FROM podcasts WHERE language = ? ORDER BY feed_url
LIMIT 100;

-- name: EpisodesByPodcast :many
-- @rate 50/s  @after PodcastsByLanguage
SELECT podcast_api, podcast_api_id, episode_guid, title, summary, published_date FROM episodes
WHERE podcast_api = ? AND podcast_api_id = ?;

-- name: SearchesByTerm :many
SELECT term, external_api, search_type, podcast_count, result_json FROM search_queries WHERE term = ?;

-- name: AddEpisode :exec
-- @rate 100k/day
INSERT INTO episodes (podcast_api, podcast_api_id, episode_guid, title, summary, published_date)
VALUES (?, ?, ?, ?, ?, ?);
