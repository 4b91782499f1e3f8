-- Seed 003, "Queue Anti-Pattern", what it recommends instead of a queue: batches of an hour and a worker that expire, and the
-- status of a job that is updated instead of deleted. Each worker takes some 3,000 jobs an hour.
-- @keyspace jobs

-- @retain 1d  @rows 4.6M  @grows 4.6M/day
CREATE TABLE processing_batches (
  job_id     uuid PRIMARY KEY,    -- @time
  batch_hour timestamp NOT NULL,  -- @distinct 24
  worker_id  int NOT NULL,        -- @distinct 64
  payload    text                 -- @bytes 500
);

-- @retain 7d  @rows 32M  @grows 4.6M/day
CREATE TABLE job_status (
  job_id     uuid PRIMARY KEY,
  status     text NOT NULL,     -- @bytes 10
  updated_at timestamp NOT NULL
);

-- name: BatchOfWorker :many
-- @rate 1/s
SELECT job_id, payload FROM processing_batches WHERE batch_hour = ? AND worker_id = ?;

-- name: StatusOfJob :one
-- @rate 100/s
SELECT job_id, status, updated_at FROM job_status WHERE job_id = ?;

-- name: AddJob :exec
-- @rate 53/s
INSERT INTO processing_batches (job_id, batch_hour, worker_id, payload) VALUES (?, ?, ?, ?);

-- name: StartJob :exec
-- @rate 53/s
INSERT INTO job_status (job_id, status, updated_at) VALUES (?, ?, ?);

-- name: FinishJob :exec
-- @rate 53/s
UPDATE job_status SET status = 'completed', updated_at = ? WHERE job_id = ?;
