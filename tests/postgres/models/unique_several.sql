-- Keys of several columns besides the primary one.
-- @rows 1M
CREATE TABLE members (
  id     uuid PRIMARY KEY,
  club   text NOT NULL,                            -- @distinct 5k
  nick   text NOT NULL,
  email  text NOT NULL UNIQUE,
  joined date NOT NULL,
  CONSTRAINT one_nick UNIQUE (club, nick)
);

-- name: Member :one
-- @rate 500/s
SELECT club, nick, email, joined FROM members WHERE id = ?;

-- name: ByNick :one
-- @rate 200/s
SELECT id, email FROM members WHERE club = ? AND nick = ?;

-- name: ByEmail :one
-- @rate 200/s
SELECT id, club, nick FROM members WHERE email = ?;

-- name: Join :exec
-- @rate 10/s
INSERT INTO members (id, club, nick, email, joined) VALUES (?, ?, ?, ?, ?);

-- name: JoinOnce :exec
-- @rate 10/s
INSERT INTO members (id, club, nick, email, joined) VALUES (?, ?, ?, ?, ?) ON CONFLICT (club, nick) DO NOTHING;

-- name: Rename :exec
-- @rate 10/s
UPDATE members SET nick = ? WHERE id = ?;

-- name: Leave :exec
-- @rate 10/s
DELETE FROM members WHERE club = ? AND nick = ?;
