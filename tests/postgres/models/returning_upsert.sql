-- Upserts that return the row, whether it is new or was there.
-- @rows 1M
CREATE TABLE users (
  id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email    text NOT NULL UNIQUE,
  name     text,
  visits   integer NOT NULL DEFAULT 1,
  state    text NOT NULL DEFAULT 'new',
  joined   timestamptz NOT NULL DEFAULT now()
);

-- @rows 5M
CREATE TABLE settings (
  owner    uuid NOT NULL REFERENCES users (id),
  name     text NOT NULL,
  value    text NOT NULL,
  changed  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, name)
);

-- name: User :one
SELECT email, name, visits, state, joined FROM users WHERE id = $1;

-- name: UserByEmail :one
SELECT id, name, visits FROM users WHERE email = $1;

-- name: Settings :many
SELECT name, value, changed FROM settings WHERE owner = $1 ORDER BY name;

-- name: Visit :one
INSERT INTO users (email, name) VALUES ($1, $2)
ON CONFLICT (email) DO UPDATE SET visits = users.visits + 1, name = EXCLUDED.name RETURNING *;

-- name: EnsureUser :one
INSERT INTO users (email, name) VALUES ($1, $2)
ON CONFLICT (email) DO UPDATE SET email = EXCLUDED.email RETURNING id, email, name, state;

-- name: AddUser :many
INSERT INTO users (id, email, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id, visits, joined;

-- name: Reopen :one
INSERT INTO users (email, state) VALUES ($1, 'open')
ON CONFLICT (email) DO UPDATE SET state = EXCLUDED.state WHERE users.state = 'new' RETURNING id, state, name;

-- name: SetSetting :one
INSERT INTO settings (owner, name, value) VALUES ($1, $2, $3)
ON CONFLICT (owner, name) DO UPDATE SET value = EXCLUDED.value, changed = now() RETURNING *;

-- name: ProposeSetting :one
INSERT INTO settings (owner, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING owner, name, changed;

-- name: DefaultSettings :many
INSERT INTO settings (owner, name, value) VALUES ($1, 'colour', 'blue'), ($1, 'size', $2), ($1, $3, 'none')
ON CONFLICT (owner, name) DO UPDATE SET value = EXCLUDED.value RETURNING name, value, changed;
