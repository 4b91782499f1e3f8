-- Rising Stars Academy (a case study in Cassandra data modeling): classes by year, assignments and examinations of
-- students.
-- @keyspace rising_stars

-- @rows 100k
CREATE TABLE students (
  studentid    text PRIMARY KEY,
  student_name text NOT NULL,
  email        text,
  address      text
);

-- @rows 1k
CREATE TABLE classes (
  classid text PRIMARY KEY
);

CREATE TABLE enrolments (
  studentid text NOT NULL REFERENCES students,          -- @each 4 p99 10 max 12
  year      text NOT NULL,                              -- @distinct 10 @bytes 4
  classid   text NOT NULL REFERENCES classes,
  PRIMARY KEY (studentid, year)
);

CREATE TABLE assignments (
  assignmentid text PRIMARY KEY,
  classid      text NOT NULL REFERENCES classes,        -- @each 100 p99 300 max 500
  deadline     timestamp
);

CREATE TABLE submissions (
  studentid    text NOT NULL REFERENCES students,       -- @each 100 p99 500 max 1k
  assignmentid text NOT NULL REFERENCES assignments,
  grade        text,
  submissiondt timestamp,
  PRIMARY KEY (studentid, assignmentid)
);

CREATE TABLE results (
  studentid     text NOT NULL REFERENCES students,      -- @each 20 p99 100 max 200
  examinationid text NOT NULL,
  classid       text NOT NULL REFERENCES classes,
  score         text,
  PRIMARY KEY (studentid, examinationid)
);

-- name: StudentsByClass :many
SELECT e.classid, s.student_name, s.studentid
FROM enrolments e JOIN students s ON s.studentid = e.studentid
WHERE e.classid = ? ORDER BY s.student_name, s.studentid;

-- name: StudentsByYear :many
SELECT e.year, e.classid, s.studentid, s.student_name
FROM enrolments e JOIN students s ON s.studentid = e.studentid
WHERE e.year = ? ORDER BY e.classid, s.studentid;

-- name: AssignmentResults :many
-- @rate 10/s
SELECT u.studentid, u.assignmentid, a.classid, u.grade, u.submissiondt, a.deadline
FROM submissions u JOIN assignments a ON a.assignmentid = u.assignmentid WHERE u.studentid = ?;

-- name: ExaminationResults :many
-- @rate 10/s
SELECT studentid, examinationid, classid, score FROM results WHERE studentid = ?;

-- name: Submit :exec
-- @rate 10k/day
INSERT INTO submissions (studentid, assignmentid, grade, submissiondt) VALUES (?, ?, ?, ?);
