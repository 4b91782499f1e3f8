-- The worked trace of the paper (Chebotko, Kashlev, Lu): the artifacts of a venue since a year, the newest first.
-- @keyspace library

CREATE TABLE venues (
  venue_name text NOT NULL,
  year       int NOT NULL,
  country    text,
  PRIMARY KEY (venue_name, year)
);

CREATE TABLE artifacts (
  artifact_id    uuid PRIMARY KEY,
  venue_name     text NOT NULL,
  year           int NOT NULL,
  artifact_title text,
  authors        text[],            -- @items 4
  keywords       text[],            -- @items 6 @set
  FOREIGN KEY (venue_name, year) REFERENCES venues  -- @each 60 p99 600 max 3k
);

-- name: ArtifactsByVenue :many
SELECT v.venue_name, v.year, a.artifact_id, a.artifact_title, a.authors, a.keywords
FROM artifacts a JOIN venues v ON v.venue_name = a.venue_name AND v.year = a.year
WHERE v.venue_name = ? AND v.year > ? ORDER BY v.year DESC;

-- name: ArtifactsByAuthor :many
SELECT artifact_id, artifact_title, authors, keywords, venue_name, year
FROM artifacts WHERE ? = ANY(authors) ORDER BY year DESC;

-- name: AddArtifact :exec
-- @rate 1k/day
INSERT INTO artifacts (artifact_id, venue_name, year, artifact_title, authors, keywords) VALUES (?, ?, ?, ?, ?, ?);
