//! How statements are sent: alone, in which batch, under which condition; and what is said about
//! it.

use cql::BatchKind;
use model::id::{ParameterId, StepId};
use model::plan::{Guard, Operand, WritePlan, WriteStep};

use super::{plan_of, statements, text};

/// The kinds of batches of a plan.
fn kinds(plan: &WritePlan) -> Vec<BatchKind> {
    plan.steps
        .iter()
        .filter_map(|step| match step {
            WriteStep::Batch { kind, .. } => Some(*kind),
            _ => None,
        })
        .collect()
}

const TASKS: &str = "
CREATE TABLE tasks (
  id uuid PRIMARY KEY, owner uuid NOT NULL, status text NOT NULL, title text, code text NOT NULL UNIQUE,
  points int NOT NULL, -- @exact
  seen int NOT NULL,
  steps text[], -- @items 5
  marks text[]  -- @items 5 @set
);
-- name: Task :one
SELECT owner, status, title, points FROM tasks WHERE id = ?;
-- name: OpenTasks :many
SELECT id, title FROM tasks WHERE owner = ? AND status = 'open';
-- name: Seen :one
SELECT seen FROM tasks WHERE id = ?;
-- name: Steps :one
SELECT steps FROM tasks WHERE id = ?;
-- name: Marked :one
SELECT EXISTS(SELECT 1 FROM tasks WHERE id = ? AND ? = ANY(marks));
-- name: Counted :one
SELECT COUNT(*) FROM tasks WHERE owner = ?;
";

fn task(write: &str) -> WritePlan {
    let sql = format!("{TASKS}-- name: W :exec\n{write};\n");
    plan_of(&sql, "W").1
}

/// Seed 001: all copies or none, for about 30 % more than an unlogged batch.
#[test]
fn several_tables_are_a_logged_batch_and_counters_come_after() {
    let plan = task(
        "INSERT INTO tasks (id, owner, status, title, code, points, seen, steps, marks) VALUES (?, ?, 'open', ?, ?, ?, 0, ?, ?)",
    );
    assert_eq!(kinds(&plan), [BatchKind::Logged]);
    let Some(WriteStep::Batch { reason, .. }) = plan.steps.first() else { panic!("{plan:#?}") };
    assert!(reason.contains("30 %"), "{reason}");
    // The server refuses counters beside other statements.
    let WriteStep::Statement(last) = plan.steps.last().unwrap() else { panic!("{plan:#?}") };
    assert!(
        last.modification
            .to_string()
            .starts_with("UPDATE task_counts_by_owner SET task_count = task_count + 1")
    );
    assert!(!plan.idempotent);
    assert_eq!(
        plan.preconditions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "no row of tasks has this key yet: an INSERT would overwrite it",
            "no other row of tasks has the same code: no table has exactly this key, so it is not enforced",
        ]
    );
}

/// Seed 001: where all operations write to a single partition, an unlogged batch is the efficient
/// way.
#[test]
fn rows_of_one_partition_are_an_unlogged_batch() {
    let sql = "
CREATE TABLE lists (lid uuid PRIMARY KEY, name text);
CREATE TABLE tasks (lid uuid REFERENCES lists, position int, title text, PRIMARY KEY (lid, position));
-- name: Tasks :many
SELECT position, title FROM tasks WHERE lid = ? ORDER BY position;
-- name: Move :exec
UPDATE tasks SET position = ? WHERE lid = ? AND position = ?;
-- name: Clear :exec
DELETE FROM tasks WHERE lid = ?;
";
    let plan = plan_of(sql, "Move").1;
    assert_eq!(
        text(&plan),
        [
            "read SELECT title FROM tasks_by_lid WHERE lid = ? AND position = ?",
            "Unlogged",
            "  if: DELETE FROM tasks_by_lid WHERE lid = ? AND position = ?",
            "  INSERT INTO tasks_by_lid (lid, position, title) VALUES (?, ?, ?)",
        ]
    );
    // The whole partition goes with one tombstone.
    let clear = plan_of(sql, "Clear").1;
    assert_eq!(text(&clear), ["DELETE FROM tasks_by_lid WHERE lid = ?"]);
    assert!((clear.tombstones - 1.0).abs() < 1e-9);
}

#[test]
fn a_condition_comes_first_and_alone() {
    let plan = task("UPDATE tasks SET status = 'done' WHERE id = ? AND status = 'open'");
    let lines = text(&plan);
    assert_eq!(lines[0], "read SELECT owner FROM tasks WHERE id = ?");
    assert_eq!(lines[1], "UPDATE tasks SET status = 'done' WHERE id = ? IF status = 'open'");
    // The condition held, so the row was there and no longer is.
    assert_eq!(lines[2], "DELETE FROM open_tasks_by_owner WHERE owner = ? AND id = ?");
    assert_eq!(lines.len(), 3);
    assert!(statements(&plan)[0].condition.is_some() && !plan.idempotent);
    let ranged = task(
        "UPDATE tasks SET title = ? WHERE id = ? AND points >= 3 AND status IN ('open', 'new')",
    );
    let conditional = statements(&ranged)[0].modification.to_string();
    assert!(conditional.ends_with("IF points >= 3 AND status IN ('open', 'new')"), "{conditional}");
}

#[test]
fn strict_writes_ask_whether_the_row_exists() {
    let first = |write: &str| {
        let sql = format!("{TASKS}-- name: W :exec\n-- @strict\n{write};\n");
        let plan = plan_of(&sql, "W").1;
        statements(&plan)[0].modification.to_string()
    };
    let insert = first(
        "INSERT INTO tasks (id, owner, status, code, points, seen) VALUES (?, ?, ?, ?, ?, 0)",
    );
    assert!(
        insert.starts_with("INSERT INTO tasks (id,") && insert.ends_with(" IF NOT EXISTS"),
        "{insert}"
    );
    let update = first("UPDATE tasks SET title = ? WHERE id = ?");
    assert_eq!(update, "UPDATE tasks SET title = ? WHERE id = ? IF EXISTS");
    assert_eq!(first("DELETE FROM tasks WHERE id = ?"), "DELETE FROM tasks WHERE id = ? IF EXISTS");
}

#[test]
fn an_exact_number_is_read_and_written_back_if_it_is_still_the_same() {
    let plan = task("UPDATE tasks SET points = points + ? WHERE id = ?");
    assert_eq!(
        text(&plan),
        [
            "read SELECT points FROM tasks WHERE id = ?",
            "if: UPDATE tasks SET points = ? WHERE id = ? IF points = ?",
        ]
    );
    let old = Operand::Row { step: StepId::new(0), column: "points".to_owned() };
    let zero = Operand::Literal("0".to_owned());
    let negative =
        Operand::Minus(Box::new(zero), Box::new(Operand::Parameter(ParameterId::new(0))));
    let sum = Operand::Minus(Box::new(old.clone()), Box::new(negative));
    assert_eq!(
        statements(&plan)[0].modification.operands(),
        [&sum, &Operand::Parameter(ParameterId::new(1)), &old]
    );
    assert!(
        plan.remarks
            .iter()
            .any(|remark| matches!(remark, model::plan::PlanRemark::ReadAgain { .. })),
        "{:?}",
        plan.remarks
    );
    // What is no exact number is a counter.
    let counter = task("UPDATE tasks SET seen = seen + ? WHERE id = ?");
    assert_eq!(text(&counter), ["UPDATE task_counters SET seen = seen + ? WHERE id = ?"]);
}

#[test]
fn appending_to_a_list_cannot_be_repeated() {
    let list = task("UPDATE tasks SET steps = array_append(steps, ?) WHERE id = ?");
    assert!(!list.idempotent, "{:#?}", text(&list));
    let set = task("UPDATE tasks SET marks = array_append(marks, ?) WHERE id = ?");
    assert!(set.idempotent, "{:#?}", text(&set));
}

/// A row that enters or leaves a table of some rows is put or deleted as its old and new status
/// say.
#[test]
fn a_row_moves_in_and_out_of_a_filter() {
    let plan = task("UPDATE tasks SET status = ? WHERE id = ?");
    let of = |start: &str| {
        statements(&plan)
            .into_iter()
            .find(|one| one.modification.to_string().starts_with(start))
            .unwrap()
            .guards
            .clone()
    };
    let equal = model::workload::Comparison::Equal;
    let open = Operand::Literal("'open'".to_owned());
    let old = Operand::Row { step: StepId::new(0), column: "status".to_owned() };
    let new = Operand::Parameter(ParameterId::new(0));
    let was = Guard::Compares(old, equal, open.clone());
    let becomes = Guard::Compares(new.clone(), equal, open.clone());
    let no_longer = Guard::Fails(new, equal, open);
    assert_eq!(of("INSERT INTO open_tasks_by_owner"), [becomes]);
    assert_eq!(of("DELETE FROM open_tasks_by_owner"), [was, no_longer]);
}

/// The batch limits of the server's configuration: 50 KiB, and no more than 100 statements here.
#[test]
fn what_may_be_too_many_for_a_batch_is_sent_one_by_one() {
    let sql = "
CREATE TABLE users (uid uuid PRIMARY KEY, name text);
CREATE TABLE posts (pid uuid PRIMARY KEY, uid uuid NOT NULL REFERENCES users, -- @each 50 p99 2k max 20k
  title text, topic text NOT NULL);
-- name: ByTopic :many
SELECT p.pid, p.title, u.name FROM posts p JOIN users u ON u.uid = p.uid WHERE p.topic = ?;
-- name: ByUser :many
SELECT pid, title, topic FROM posts WHERE uid = ?;
-- name: Rename :exec
UPDATE users SET name = ? WHERE uid = ?;
";
    let plan = plan_of(sql, "Rename").1;
    let lines = text(&plan);
    assert!(
        lines.iter().any(|line| line.starts_with("each: UPDATE posts_by_topic SET ")),
        "{lines:#?}"
    );
    assert!(kinds(&plan).is_empty(), "{lines:#?}");
    assert!(
        plan.remarks.iter().any(|remark| remark.to_string().contains("20k statements")),
        "{:?}",
        plan.remarks
    );
    // Fifty posts on average.
    assert!((plan.amplification - 50.0).abs() < 1e-9, "{}", plan.amplification);
}
