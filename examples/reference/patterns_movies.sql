-- The mapping patterns of one entity and of a 1:1 relationship (DS220): a movie is known by its title and year of release.
-- @keyspace patterns

CREATE TABLE movies (
  title        text NOT NULL,
  release_year int NOT NULL,
  description  text,
  mpaa_rating  text NOT NULL,  -- @distinct 5
  genre        text[],         -- @items 3 @set
  PRIMARY KEY (title, release_year)
);

CREATE TABLE first_showings (
  title        text NOT NULL,
  release_year int NOT NULL,
  theater      text,
  shown_on     date,
  PRIMARY KEY (title, release_year),
  FOREIGN KEY (title, release_year) REFERENCES movies
);

-- name: MovieByKey :one
SELECT title, release_year, description, mpaa_rating, genre FROM movies WHERE title = ? AND release_year = ?;

-- name: MoviesByKeyRange :many
SELECT title, release_year, description, mpaa_rating, genre FROM movies WHERE title = ? AND release_year > ?;

-- name: MoviesByRating :many
SELECT title, release_year, description, mpaa_rating, genre FROM movies WHERE mpaa_rating = ? AND release_year = ?;

-- name: MoviesByRatingRange :many
SELECT title, release_year, description, mpaa_rating, genre FROM movies WHERE mpaa_rating = ? AND release_year > ?;

-- name: MovieWithFirstShowing :one
SELECT m.title, m.release_year, m.description, m.mpaa_rating, m.genre, f.theater, f.shown_on
FROM movies m JOIN first_showings f ON f.title = m.title AND f.release_year = m.release_year
WHERE m.title = ? AND m.release_year = ?;

-- name: AddMovie :exec
-- @rate 100/day
INSERT INTO movies (title, release_year, description, mpaa_rating, genre) VALUES (?, ?, ?, ?, ?);

-- name: AddFirstShowing :exec
-- @rate 100/day
INSERT INTO first_showings (title, release_year, theater, shown_on) VALUES (?, ?, ?, ?);
