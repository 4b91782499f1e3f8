-- Hotels and reservations (the documentation of Apache Cassandra; Carpenter and Hewitt): 5,000 hotels of 100 rooms, two years of dates.
-- Points of interest and amenities have ids and are known by their names in the tables: names are unique here too.
-- @keyspace hotel

CREATE TYPE address AS (
  street            text,
  city              text,
  state_or_province text,
  postal_code       text,
  country           text
);

-- @rows 5k
CREATE TABLE hotels (
  hotel_id uuid PRIMARY KEY,
  name     text,
  phone    text,
  address  address
);

-- @rows 10k
CREATE TABLE pois (
  poi_id      uuid PRIMARY KEY,
  poi_name    text NOT NULL UNIQUE,
  description text
);

CREATE TABLE hotel_pois (
  hotel_id uuid NOT NULL REFERENCES hotels,  -- @each 10
  poi_id   uuid NOT NULL REFERENCES pois,    -- @each 5
  PRIMARY KEY (hotel_id, poi_id)
);

CREATE TABLE rooms (
  room_id     uuid PRIMARY KEY,
  hotel_id    uuid NOT NULL REFERENCES hotels,  -- @each 100
  room_number smallint NOT NULL,
  UNIQUE (hotel_id, room_number)
);

CREATE TABLE amenities (
  amenity_id   uuid PRIMARY KEY,
  room_id      uuid NOT NULL REFERENCES rooms,  -- @each 8
  amenity_name text NOT NULL,
  description  text,
  UNIQUE (room_id, amenity_name)
);

-- @retain 2 years
CREATE TABLE room_availability (
  room_id      uuid NOT NULL REFERENCES rooms,  -- @each 1/day
  date         date NOT NULL,
  rate         numeric,
  is_available boolean NOT NULL,
  PRIMARY KEY (room_id, date)
);

-- @rows 10M
CREATE TABLE guests (
  guest_id      uuid PRIMARY KEY,
  first_name    text,
  last_name     text NOT NULL,  -- @distinct 500k
  title         text,
  emails        text[],         -- @items 2 @set
  phone_numbers text[],         -- @items 2
  addresses     hstore          -- @items 2 @bytes 80
);

CREATE TABLE reservations (
  reservation_id uuid PRIMARY KEY,
  confirm_number text NOT NULL UNIQUE,
  room_id        uuid NOT NULL REFERENCES rooms,   -- @each 200
  guest_id       uuid NOT NULL REFERENCES guests,  -- @each 10
  start_date     date NOT NULL,
  end_date       date NOT NULL,
  UNIQUE (room_id, start_date)
);

-- name: HotelsByPoi :many
SELECT h.hotel_id, h.name, h.phone, h.address
FROM hotel_pois hp JOIN hotels h ON h.hotel_id = hp.hotel_id JOIN pois p ON p.poi_id = hp.poi_id
WHERE p.poi_name = ?;

-- name: HotelById :one
-- @after HotelsByPoi
SELECT hotel_id, name, phone, address FROM hotels WHERE hotel_id = ?;

-- name: PoisByHotel :many
-- @after HotelById
SELECT p.poi_name, p.description
FROM hotel_pois hp JOIN pois p ON p.poi_id = hp.poi_id
WHERE hp.hotel_id = ? ORDER BY p.poi_name;

-- name: AvailableRooms :many
-- @after HotelById
SELECT a.date, r.room_number, a.is_available
FROM room_availability a JOIN rooms r ON r.room_id = a.room_id
WHERE r.hotel_id = ? AND a.date >= ? AND a.date <= ? ORDER BY a.date, r.room_number;

-- name: AmenitiesOfRoom :many
-- @after AvailableRooms
SELECT a.amenity_name, a.description
FROM amenities a JOIN rooms r ON r.room_id = a.room_id
WHERE r.hotel_id = ? AND r.room_number = ? ORDER BY a.amenity_name;

-- name: ReservationByConfirmation :one
SELECT s.confirm_number, r.hotel_id, r.room_number, s.start_date, s.end_date, s.guest_id
FROM reservations s JOIN rooms r ON r.room_id = s.room_id
WHERE s.confirm_number = ?;

-- name: ReservationsByHotelAndDate :many
SELECT r.room_number, s.end_date, s.confirm_number, s.guest_id
FROM reservations s JOIN rooms r ON r.room_id = s.room_id
WHERE r.hotel_id = ? AND s.start_date = ? ORDER BY r.room_number;

-- name: ReservationsByGuest :many
SELECT r.hotel_id, s.guest_id, r.room_number, s.start_date, s.end_date, s.confirm_number
FROM reservations s JOIN rooms r ON r.room_id = s.room_id JOIN guests g ON g.guest_id = s.guest_id
WHERE g.last_name = ? ORDER BY r.hotel_id, s.guest_id;

-- name: GuestById :one
-- @after ReservationByConfirmation, ReservationsByHotelAndDate, ReservationsByGuest
SELECT guest_id, first_name, last_name, title, emails, phone_numbers, addresses FROM guests WHERE guest_id = ?;

-- "Rate and amenities of a room": the published tables forget the rate.
-- name: RateOfRoom :one
-- @after AvailableRooms
SELECT a.rate
FROM room_availability a JOIN rooms r ON r.room_id = a.room_id
WHERE r.hotel_id = ? AND r.room_number = ? AND a.date = ?;

-- name: Reserve :exec
-- @rate 1/s
INSERT INTO reservations (reservation_id, confirm_number, room_id, guest_id, start_date, end_date) VALUES (?, ?, ?, ?, ?, ?);

-- name: SetAvailability :exec
-- @rate 5/s
UPDATE room_availability SET is_available = ? WHERE room_id = ? AND date = ?;

-- name: Cancel :exec
-- @rate 1k/day
DELETE FROM reservations WHERE reservation_id = ?;

-- name: ChangeGuestName :exec
-- @rate 100/day
UPDATE guests SET last_name = ? WHERE guest_id = ?;
