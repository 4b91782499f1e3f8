-- @rows 1M @grow 5/day
CREATE TABLE users (
  userid uuid PRIMARY KEY,
  name   text NOT NULL
);

-- name: UserByName :many
SELECT userid FROM users WHERE nam = ? OR name = ? OFFSET 20;
