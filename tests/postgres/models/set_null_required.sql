-- ON DELETE SET NULL of a column that must not be null: a referenced row cannot be deleted.
-- @rows 200
CREATE TABLE companies (
  id   uuid PRIMARY KEY,
  name text NOT NULL
);
-- @rows 1000
CREATE TABLE visits (
  id      uuid PRIMARY KEY,
  company uuid NOT NULL REFERENCES companies ON DELETE SET NULL,
  day     date NOT NULL
);

-- name: VisitsOfCompany :many
SELECT v.id, v.day, c.name FROM visits v JOIN companies c ON c.id = v.company WHERE v.company = $1;

-- name: Company :one
SELECT * FROM companies WHERE id = $1;

-- name: AddCompany :exec
INSERT INTO companies (id, name) VALUES ($1, $2);

-- name: AddVisit :exec
INSERT INTO visits (id, company, day) VALUES ($1, $2, $3);

-- name: DeleteVisit :exec
DELETE FROM visits WHERE id = $1;

-- name: DeleteCompany :exec
DELETE FROM companies WHERE id = $1;
