//! Tables that a search may choose and the mapping rules never do: any candidate of any read, with
//! any of its columns.

use std::collections::BTreeSet;

use model::id::IdList;
use model::plan::{Design, PlannedTable};
use model::workload::Column;

use super::run;
use super::value::Random;
use crate::candidate::{CandidateTable, candidates_for};
use crate::{Context, Options, naming, write_plan};

/// Orders of customers perhaps, in shops: keys of all of them in any position, and inverted
/// indexes.
const ORDERS: &str = "
CREATE TABLE shops (sid int PRIMARY KEY, city text NOT NULL, title text);
CREATE TABLE customers (cid int PRIMARY KEY, name text NOT NULL, age int NOT NULL, sid int NOT NULL REFERENCES shops);
CREATE TABLE orders (oid int PRIMARY KEY, cid int NOT NULL REFERENCES customers, gift int REFERENCES customers,
  status text NOT NULL, total int NOT NULL, placed timestamp NOT NULL, remark text);
-- name: ByStatus :many
SELECT oid, total, remark FROM orders WHERE status = ? AND total > ? ORDER BY placed DESC;
-- name: OfCustomer :many
SELECT o.oid, o.total, c.name, s.city FROM orders o JOIN customers c ON c.cid = o.cid JOIN shops s ON s.sid = c.sid
  WHERE o.cid = ? AND o.status = ? ORDER BY o.total;
-- name: InCity :many
SELECT o.oid, o.status, c.name, s.title FROM orders o JOIN customers c ON c.cid = o.cid JOIN shops s ON s.sid = c.sid
  WHERE s.city = ? AND c.age = ?;
-- name: Gifts :many
SELECT o.oid, o.remark, g.name, c.name FROM orders o JOIN customers g ON g.cid = o.gift JOIN customers c ON c.cid = o.cid
  WHERE g.name = ? AND o.status = 'open';
-- name: Customers :many
SELECT c.cid, c.age, s.title FROM customers c JOIN shops s ON s.sid = c.sid WHERE c.name = ? AND s.city = ?;
-- name: Customer :one
SELECT name, age, sid FROM customers WHERE cid = ?;
-- name: Open :exec
INSERT INTO shops (sid, city, title) VALUES (?, ?, ?);
-- name: Enrol :exec
INSERT INTO customers (cid, name, age, sid) VALUES (?, ?, ?, ?);
-- name: Order :exec
INSERT INTO orders (oid, cid, gift, status, total, placed, remark) VALUES (?, ?, ?, ?, ?, ?, ?);
-- name: Advance :exec
UPDATE orders SET status = ?, remark = ? WHERE oid = ?;
-- name: Correct :exec
UPDATE orders SET total = ?, cid = ? WHERE oid = ?;
-- name: Give :exec
UPDATE orders SET gift = ? WHERE oid = ?;
-- name: Rename :exec
UPDATE customers SET name = ?, age = ? WHERE cid = ?;
-- name: Switch :exec
UPDATE customers SET sid = ? WHERE cid = ?;
-- name: Relocate :exec
UPDATE shops SET city = ?, title = ? WHERE sid = ?;
-- name: Cancel :exec
DELETE FROM orders WHERE oid = ?;
-- name: Forget :exec
DELETE FROM customers WHERE cid = ?;
";

/// A candidate with some of the columns that it could have.
fn random_table(
    context: Context<'_>,
    candidate: &CandidateTable,
    random: &mut Random,
) -> PlannedTable {
    let sources = candidate.table.holds.sources.enumerate_ids();
    let columns = sources.flat_map(|(source, held)| {
        let attributes = context.concept.entities[held.entity].attributes.ids();
        attributes.map(move |attribute| Column { source, attribute })
    });
    let share = random.next_below(4);
    let columns: BTreeSet<_> = columns.filter(|_| random.next_below(3) < share).collect();
    candidate.table_with(context, &columns).table
}

#[test]
fn any_candidates_are_kept_up() {
    let file = model::sql::read(ORDERS, "app").unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let options = Options::default();
    let context = Context { concept: &file.concept, workload: &file.workload, options: &options };
    let candidates: Vec<_> =
        file.workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
    assert!(candidates.len() > file.workload.reads.len());
    for seed in 1..=12 {
        let mut random = Random(seed * 77_777 + 1);
        let mut tables = Vec::new();
        for _ in 0..6 {
            let at = usize::try_from(random.next_below(candidates.len() as u64)).unwrap();
            let table = random_table(context, &candidates[at], &mut random);
            tables.push(PlannedTable { serves: Vec::new(), ..table });
        }
        let mut notes = Vec::new();
        write_plan::add_support_tables(context, &mut tables, &mut notes);
        naming::name_tables(context, &mut tables);
        let writes = write_plan::plan_writes(context, &mut tables, &mut notes);
        assert!(notes.is_empty(), "{notes:#?}");
        run(&file, &Design { tables, writes, ..Design::default() }, seed, 200);
    }
}
