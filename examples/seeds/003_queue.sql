-- Seed 003, "Queue Anti-Pattern": poll the oldest jobs, delete what is done. It is refused as such; 003_jobs.sql has what the
-- seed recommends.
-- @keyspace jobs

-- @rows 10
CREATE TABLE queues (
  queue_name text PRIMARY KEY
);

CREATE TABLE job_queue (
  queue_name text NOT NULL REFERENCES queues,  -- @each 10
  job_id     uuid NOT NULL,                    -- @time
  payload    text,
  status     text,
  PRIMARY KEY (queue_name, job_id)
);

-- name: PollJobs :many
-- @rate 10/s
SELECT job_id, payload, status FROM job_queue WHERE queue_name = ? ORDER BY job_id LIMIT 10;

-- name: AddJob :exec
-- @rate 10k/hour
INSERT INTO job_queue (queue_name, job_id, payload, status) VALUES (?, ?, ?, ?);

-- name: RemoveJob :exec
-- @rate 10k/hour  @after PollJobs
DELETE FROM job_queue WHERE queue_name = ? AND job_id = ?;
