-- A trigger that sets the time of the last change: every UPDATE sets it.
CREATE TABLE notes (
    id uuid PRIMARY KEY,
    author text NOT NULL,
    body text,
    updated_at timestamptz DEFAULT now() NOT NULL
);

CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at = now();
    RETURN NEW;
END;
$$;

CREATE TRIGGER notes_touch BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION touch();

-- name: NoteById :one
SELECT * FROM notes WHERE id = ?;

-- name: LatestNotes :many
SELECT id, body, updated_at FROM notes WHERE author = ? ORDER BY updated_at DESC LIMIT 10;

-- name: AddNote :exec
INSERT INTO notes (id, author, body) VALUES (?, ?, ?);

-- name: ChangeNote :exec
UPDATE notes SET body = ? WHERE id = ?;

-- name: PutNote :exec
INSERT INTO notes (id, author, body) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET body = excluded.body;

-- name: RemoveNote :exec
DELETE FROM notes WHERE id = ?;
