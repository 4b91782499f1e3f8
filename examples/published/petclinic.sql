-- Pet clinic (spring-petclinic-reactive): owners, pets, visits, vets by specialty.
-- @keyspace petclinic

-- @rows 100k
CREATE TABLE owners (
  id         uuid PRIMARY KEY,
  first_name text,
  last_name  text NOT NULL,                             -- @distinct 20k
  address    text,
  city       text,
  telephone  text
);

CREATE TABLE pets (
  pet_id     uuid PRIMARY KEY,
  owner_id   uuid NOT NULL REFERENCES owners,           -- @each 2 p99 10 max 50
  pet_type   text,
  name       text,
  birth_date date
);

CREATE TABLE visits (
  visit_id    uuid PRIMARY KEY,
  pet_id      uuid NOT NULL REFERENCES pets,            -- @each 10 p99 50 max 200
  visit_date  date,
  description text
);

-- @rows 100
CREATE TABLE vets (
  id          uuid PRIMARY KEY,
  first_name  text,
  last_name   text,
  specialties text[]                                    -- @set @items 2 @distinct 10
);

-- name: Owner :one
-- @rate 50/s
SELECT id, first_name, last_name, address, city, telephone FROM owners WHERE id = ?;

-- name: PetsByOwner :many
-- @rate 50/s  @after Owner
SELECT owner_id, pet_id, pet_type, name, birth_date FROM pets WHERE owner_id = ?;

-- name: VisitsByPet :many
-- @rate 50/s  @after PetsByOwner
SELECT pet_id, visit_id, visit_date, description FROM visits WHERE pet_id = ?;

-- name: Vet :one
SELECT id, first_name, last_name, specialties FROM vets WHERE id = ?;

-- name: VetsBySpecialty :many
SELECT id, first_name, last_name FROM vets WHERE ? = ANY(specialties);

-- name: AddVisit :exec
-- @rate 10k/day
INSERT INTO visits (visit_id, pet_id, visit_date, description) VALUES (?, ?, ?, ?);
