//! The write paths of the video site that the method's sources share.

use model::id::{IdList, LoopId, ParameterId, StepId};
use model::plan::{Bucket, Guard, Loop, Operand};

use super::{plan_of, statements, text};

const MODEL: &str = "
-- @rows 10M
CREATE TABLE users (
  userid       uuid PRIMARY KEY,
  email        text NOT NULL UNIQUE,        -- @bytes 24
  firstname    text,
  lastname     text,
  created_date timestamp
);

-- @rows 50M  @grows 100k/day
CREATE TABLE videos (
  videoid      uuid PRIMARY KEY,
  userid       uuid NOT NULL REFERENCES users,  -- @each 5 p99 200 max 20k
  name         text,
  tags         text[],                           -- @items 5 @distinct 200k @set
  added_date   timestamp NOT NULL
);

-- name: UserByEmail :one
-- @rate 200/s
SELECT userid, firstname FROM users WHERE email = ?;

-- name: LatestVideos :many
-- @rate 3k/s
SELECT videoid, userid, name, added_date FROM videos ORDER BY added_date DESC LIMIT 20;

-- name: VideosByUser :many
-- @rate 800/s  @after UserByEmail, LatestVideos
SELECT v.videoid, v.name, v.added_date, u.firstname
FROM videos v JOIN users u ON u.userid = v.userid
WHERE v.userid = ? ORDER BY v.added_date DESC LIMIT 20;

-- name: VideosByTag :many
SELECT videoid, name, tags, added_date FROM videos WHERE ? = ANY(tags);

-- name: RegisterUser :exec
INSERT INTO users (userid, email, firstname, lastname, created_date) VALUES (?, ?, ?, ?, ?);

-- name: AddVideo :exec
-- @rate 100k/day
INSERT INTO videos (videoid, userid, name, tags, added_date) VALUES (?, ?, ?, ?, ?);

-- name: RenameVideo :exec
UPDATE videos SET name = ? WHERE videoid = ?;

-- name: TagVideo :exec
UPDATE videos SET tags = array_append(tags, ?) WHERE videoid = ?;

-- name: SetTags :exec
UPDATE videos SET tags = ? WHERE videoid = ?;

-- name: RenameUser :exec
UPDATE users SET firstname = ? WHERE userid = ?;

-- name: ChangeEmail :exec
UPDATE users SET email = ? WHERE userid = ?;

-- name: DeleteVideo :exec
DELETE FROM videos WHERE videoid = ?;

-- name: DeleteUser :exec
DELETE FROM users WHERE userid = ?;
";

/// The functional specification: register = a conditional insert on the table by email, then the
/// user's own.
#[test]
fn registering_checks_the_email_first() {
    let (_, plan) = plan_of(MODEL, "RegisterUser");
    assert_eq!(
        text(&plan),
        [
            "INSERT INTO users_by_email (email, userid, firstname) VALUES (?, ?, ?) IF NOT EXISTS",
            "Logged",
            "  INSERT INTO videos_by_user (userid, firstname) VALUES (?, ?)",
            "  INSERT INTO users (userid, email, firstname) VALUES (?, ?, ?)",
        ]
    );
    assert!(!plan.idempotent);
    let operands = [1, 0, 2].map(ParameterId::new).map(Operand::Parameter);
    assert_eq!(statements(&plan)[0].modification.operands(), operands.each_ref());
    assert!(statements(&plan)[0].condition.is_some());
}

/// The functional specification: submit = a logged batch over the tables of videos, then one row
/// for each tag.
#[test]
fn a_video_goes_into_every_table_and_under_every_tag() {
    let (design, plan) = plan_of(MODEL, "AddVideo");
    let lines = text(&plan);
    assert_eq!(lines[0], "Logged");
    for line in [
        "  INSERT INTO latest_videos (day, added_date, videoid, userid, name) VALUES (?, ?, ?, ?, ?)",
        "  INSERT INTO videos_by_user (userid, added_date, videoid, name) VALUES (?, ?, ?, ?)",
        "  each: INSERT INTO videos_by_tag (tag, videoid, name, tags, added_date) VALUES (?, ?, ?, ?, ?)",
        "  INSERT INTO latest_videos_oldest (bucket, oldest) VALUES (0, ?) USING TIMESTAMP ?",
    ] {
        assert!(lines.iter().any(|other| other == line), "{lines:#?}");
    }
    let of = |name: &str| {
        let at = design.tables.find_id(|table| table.name == name).unwrap();
        statements(&plan).into_iter().find(|statement| statement.table == at).unwrap()
    };
    let day = Operand::BucketOf(Box::new(Operand::Parameter(ParameterId::new(4))), Bucket::DAY);
    assert_eq!(of("latest_videos").modification.operands()[0], &day);
    let remembered = [day.clone(), Operand::OldestWins(Box::new(day))];
    assert_eq!(of("latest_videos_oldest").modification.operands(), remembered.each_ref());
    assert_eq!(
        of("videos_by_tag").loops,
        [Loop::Elements(Operand::Parameter(ParameterId::new(3)))]
    );
    assert_eq!(of("videos_by_tag").modification.operands()[0], &Operand::Turn(LoopId::new(0)));
    // Four tables and what remembers, one row each but five for the tags.
    assert!((plan.amplification - 9.0).abs() < 1e-9);
    assert!(plan.idempotent);
}

/// Seed 001: the name of a video appears in several tables, and a logged batch changes all of them.
#[test]
fn renaming_a_video_is_a_logged_batch() {
    let (_, plan) = plan_of(MODEL, "RenameVideo");
    assert_eq!(
        text(&plan),
        [
            "read SELECT userid, tags, added_date FROM videos WHERE videoid = ?",
            "Logged",
            "  UPDATE latest_videos SET name = ? WHERE day = ? AND added_date = ? AND videoid = ?",
            "  UPDATE videos_by_user SET name = ? WHERE userid = ? AND added_date = ? AND videoid = ?",
            "  each: UPDATE videos_by_tag SET name = ? WHERE tag = ? AND videoid = ?",
            "  UPDATE videos SET name = ? WHERE videoid = ?",
        ]
    );
    assert!(plan.tombstones.abs() < 1e-9);
}

#[test]
fn a_user_is_renamed_once_in_each_table() {
    let (_, plan) = plan_of(MODEL, "RenameUser");
    assert_eq!(
        text(&plan),
        [
            "read SELECT email FROM users WHERE userid = ?",
            "Logged",
            "  UPDATE videos_by_user SET firstname = ? WHERE userid = ?",
            "  UPDATE users SET firstname = ? WHERE userid = ?",
            "UPDATE users_by_email SET firstname = ? WHERE email = ? IF EXISTS",
        ]
    );
}

/// The old row goes only if the key differs, last, and by the vote that rows of the table come by.
#[test]
fn a_new_email_must_be_free_and_the_old_row_goes() {
    let (_, plan) = plan_of(MODEL, "ChangeEmail");
    assert_eq!(
        text(&plan),
        [
            "read SELECT email, firstname FROM users WHERE userid = ?",
            "if: INSERT INTO users_by_email (email, userid, firstname) VALUES (?, ?, ?) IF NOT EXISTS",
            "UPDATE users SET email = ? WHERE userid = ?",
            "if: DELETE FROM users_by_email WHERE email = ? IF EXISTS",
        ]
    );
    let old = Operand::Row { step: StepId::new(0), column: "email".to_owned() };
    let differ = Guard::Differ(old, Operand::Parameter(ParameterId::new(0)));
    let guarded = [0, 2].map(|at| statements(&plan)[at].guards.clone());
    assert_eq!(guarded, [[differ.clone()], [differ]]);
    // Whatever the last one answers, the write is done.
    assert!(statements(&plan)[2].condition.is_none());
}

#[test]
fn tags_come_and_go_with_their_rows() {
    let (_, plan) = plan_of(MODEL, "TagVideo");
    assert_eq!(
        text(&plan),
        [
            "read SELECT tags, added_date, name FROM videos WHERE videoid = ?",
            "Logged",
            "  INSERT INTO videos_by_tag (tag, videoid, name, tags, added_date) VALUES (?, ?, ?, ?, ?)",
            "  UPDATE videos_by_tag SET tags = tags + ? WHERE tag = ? AND videoid = ?",
            "  each: UPDATE videos_by_tag SET tags = tags + ? WHERE tag = ? AND videoid = ?",
            "  UPDATE videos SET tags = tags + ? WHERE videoid = ?",
        ]
    );
    let (_, plan) = plan_of(MODEL, "SetTags");
    let deletion = statements(&plan)
        .into_iter()
        .find(|statement| {
            statement.modification.to_string().starts_with("DELETE FROM videos_by_tag")
        })
        .unwrap();
    let lacks =
        Guard::Lacks(Operand::Parameter(ParameterId::new(0)), Operand::Turn(LoopId::new(0)));
    assert_eq!(deletion.guards, [lacks]);
}

#[test]
fn a_video_goes_from_every_table() {
    let (_, plan) = plan_of(MODEL, "DeleteVideo");
    let deleted = ["latest_videos", "videos_by_user", "videos_by_tag", "videos"];
    for table in deleted {
        let start = format!("DELETE FROM {table} ");
        assert!(
            statements(&plan).iter().any(|one| one.modification.to_string().starts_with(&start)),
            "{table}"
        );
    }
    // Five tags.
    assert!((plan.tombstones - 8.0).abs() < 1e-9);
    let (_, plan) = plan_of(MODEL, "DeleteUser");
    let preconditions: Vec<_> = plan.preconditions.iter().map(ToString::to_string).collect();
    assert_eq!(preconditions, ["no row of videos references the row of users any more"]);
}
