//! Models whose writes are simulated: each with what makes writes hard.

use super::simulate;
use crate::{Limits, Options};

/// Videos of users, by tag, latest, with duplicated and static names.
const VIDEOS: &str = "
CREATE TABLE users (userid uuid PRIMARY KEY, email text NOT NULL UNIQUE, firstname text, country text);
CREATE TABLE videos (videoid uuid PRIMARY KEY, userid uuid NOT NULL REFERENCES users, name text,
  tags text[], -- @items 5 @set
  status text NOT NULL, added_date timestamp NOT NULL, length int);
-- name: UserByEmail :one
SELECT userid, firstname FROM users WHERE email = ?;
-- name: LatestVideos :many
SELECT videoid, userid, name, added_date FROM videos ORDER BY added_date DESC LIMIT 20;
-- name: VideosByUser :many
SELECT v.videoid, v.name, v.added_date, u.firstname FROM videos v JOIN users u ON u.userid = v.userid
WHERE v.userid = ? ORDER BY v.added_date DESC LIMIT 20;
-- name: VideosByTag :many
SELECT v.videoid, v.name, v.tags, u.firstname FROM videos v JOIN users u ON u.userid = v.userid WHERE ? = ANY(v.tags);
-- name: OpenVideos :many
SELECT videoid, name FROM videos WHERE userid = ? AND status = 'open' ORDER BY added_date;
-- name: VideosByCountry :many
SELECT v.videoid, v.name FROM videos v JOIN users u ON u.userid = v.userid WHERE u.country = ?;
-- name: CountByUser :one
SELECT COUNT(*) FROM videos WHERE userid = ?;
-- name: LengthByStatus :one
SELECT SUM(length), COUNT(length) FROM videos WHERE status = ?;
-- name: Register :exec
INSERT INTO users (userid, email, firstname, country) VALUES (?, ?, ?, ?);
-- name: Add :exec
INSERT INTO videos (videoid, userid, name, tags, status, added_date, length) VALUES (?, ?, ?, ?, ?, ?, ?);
-- name: Add2 :exec
INSERT INTO videos (videoid, userid, name, status, added_date) VALUES (?, ?, ?, 'open', ?);
-- name: Rename :exec
UPDATE videos SET name = ? WHERE videoid = ?;
-- name: Tag :exec
UPDATE videos SET tags = array_append(tags, ?) WHERE videoid = ?;
-- name: Untag :exec
UPDATE videos SET tags = array_remove(tags, ?) WHERE videoid = ?;
-- name: SetTags :exec
UPDATE videos SET tags = ?, name = ? WHERE videoid = ?;
-- name: Close :exec
UPDATE videos SET status = 'closed' WHERE videoid = ? AND status = 'open';
-- name: SetStatus :exec
UPDATE videos SET status = ?, length = ? WHERE videoid = ?;
-- name: Move :exec
UPDATE videos SET userid = ?, added_date = ? WHERE videoid = ?;
-- name: TagAndMove :exec
UPDATE videos SET userid = ?, tags = array_append(tags, ?) WHERE videoid = ?;
-- name: RenameUser :exec
UPDATE users SET firstname = ?, country = ? WHERE userid = ?;
-- name: ChangeEmail :exec
UPDATE users SET email = ?, firstname = ? WHERE userid = ?;
-- name: RenameByEmail :exec
UPDATE users SET firstname = ? WHERE email = ?;
-- name: Delete :exec
DELETE FROM videos WHERE videoid = ?;
-- name: DeleteSome :exec
DELETE FROM videos WHERE videoid IN (?, ?);
-- name: DeleteOfUser :exec
DELETE FROM videos WHERE userid = ?;
-- name: DeleteUser :exec
DELETE FROM users WHERE userid = ?;
";

/// Bounds so small that everything is split.
fn tight() -> Options {
    let limits = Limits { partition_rows: 50.0, ..Limits::default() };
    Options { limits, ..Options::default() }
}

#[test]
fn videos() {
    for seed in 1..=5 {
        simulate(VIDEOS, &Options::default(), seed, 400);
    }
}

#[test]
fn videos_by_the_rules_alone() {
    for seed in 1..=3 {
        simulate(VIDEOS, &Options { rules_only: true, ..Options::default() }, seed, 400);
    }
}

#[test]
fn videos_in_buckets_and_shards() {
    for seed in 1..=3 {
        simulate(VIDEOS, &tight(), seed, 400);
    }
}

/// Employees with their managers, departments perhaps, and a count of each.
const STAFF: &str = "
CREATE TABLE departments (did int PRIMARY KEY, title text NOT NULL, floor int);
CREATE TABLE employees (eid int PRIMARY KEY, name text, grade int NOT NULL, manager_id int REFERENCES employees,
  did int REFERENCES departments, salary int);
-- name: WithManager :many
SELECT e.eid, e.name, m.name, d.title FROM employees e JOIN employees m ON m.eid = e.manager_id
  JOIN departments d ON d.did = e.did WHERE e.grade = ?;
-- name: Team :many
SELECT eid, name, grade FROM employees WHERE manager_id = ? ORDER BY grade DESC;
-- name: ByManagerName :many
SELECT e.eid, e.name FROM employees e JOIN employees m ON m.eid = e.manager_id WHERE m.name = ?;
-- name: Paid :many
SELECT eid, salary FROM employees WHERE did = ? AND salary > 2;
-- name: Department :one
SELECT title, floor FROM departments WHERE did = ?;
-- name: OnFloor :many
SELECT e.eid, e.name, d.title FROM departments d JOIN employees e ON e.did = d.did WHERE d.floor = ?;
-- name: HeadsByFloor :one
SELECT COUNT(*), SUM(e.salary) FROM employees e JOIN departments d ON d.did = e.did WHERE d.floor = ?;
-- name: Open :exec
INSERT INTO departments (did, title, floor) VALUES (?, ?, ?);
-- name: Hire :exec
INSERT INTO employees (eid, name, grade, manager_id, did, salary) VALUES (?, ?, ?, ?, ?, ?);
-- name: HireFirst :exec
INSERT INTO employees (eid, name, grade, did) VALUES (?, ?, ?, ?);
-- name: Rename :exec
UPDATE employees SET name = ? WHERE eid = ?;
-- name: Promote :exec
UPDATE employees SET grade = ?, salary = ? WHERE eid = ?;
-- name: Reassign :exec
UPDATE employees SET manager_id = ?, did = ? WHERE eid = ?;
-- name: Leave :exec
UPDATE employees SET manager_id = NULL, salary = NULL WHERE eid = ?;
-- name: Retitle :exec
UPDATE departments SET title = ?, floor = ? WHERE did = ?;
-- name: RaiseAll :exec
UPDATE employees SET salary = ? WHERE did = ? AND grade > ?;
-- name: Regrade :exec
UPDATE employees SET salary = ?, grade = ? WHERE grade = ?;
-- name: Fire :exec
DELETE FROM employees WHERE eid = ?;
-- name: Close :exec
DELETE FROM departments WHERE did = ? AND floor = 3;
";

#[test]
fn staff() {
    for seed in 1..=5 {
        simulate(STAFF, &Options::default(), seed, 400);
        simulate(STAFF, &tight(), seed, 200);
    }
}

/// Members of groups, with attributes of the relationship in its key and beside it.
const GROUPS: &str = "
CREATE TABLE groups (gid int PRIMARY KEY, title text, size int);
CREATE TABLE users (uid int PRIMARY KEY, name text, age int);
CREATE TABLE members (gid int REFERENCES groups, uid int REFERENCES users, since timestamp, role text NOT NULL, PRIMARY KEY (gid, uid, since));
-- name: OfGroup :many
SELECT m.uid, m.since, m.role, u.name, g.title FROM members m JOIN users u ON u.uid = m.uid JOIN groups g ON g.gid = m.gid
  WHERE m.gid = ? ORDER BY m.since DESC;
-- name: OfUser :many
SELECT g.gid, g.title, m.role FROM users u JOIN members m ON m.uid = u.uid JOIN groups g ON g.gid = m.gid WHERE u.uid = ?;
-- name: OfUserName :many
SELECT g.gid, g.title FROM users u JOIN members m ON m.uid = u.uid JOIN groups g ON g.gid = m.gid WHERE u.name = ? AND m.since > ?;
-- name: Admins :many
SELECT uid, since FROM members WHERE role = 'open' AND gid = ?;
-- name: Both :many
SELECT m.since, m.role, u.name, g.title FROM members m JOIN users u ON u.uid = m.uid JOIN groups g ON g.gid = m.gid WHERE m.gid = ? AND m.uid = ?;
-- name: Counted :many
SELECT role, COUNT(*) FROM members WHERE gid = ? GROUP BY role;
-- name: AddGroup :exec
INSERT INTO groups (gid, title, size) VALUES (?, ?, ?);
-- name: AddUser :exec
-- @strict
INSERT INTO users (uid, name, age) VALUES (?, ?, ?);
-- name: Join :exec
INSERT INTO members (gid, uid, since, role) VALUES (?, ?, ?, ?);
-- name: Change :exec
UPDATE members SET role = ? WHERE gid = ? AND uid = ? AND since = ?;
-- name: ChangeAll :exec
UPDATE members SET role = ? WHERE gid = ? AND uid = ?;
-- name: Retitle :exec
UPDATE groups SET title = ? WHERE gid = ?;
-- name: RetitleStrictly :exec
-- @strict
UPDATE groups SET title = ?, size = ? WHERE gid = ?;
-- name: Rename :exec
UPDATE users SET name = ?, age = ? WHERE uid = ? AND age < 3;
-- name: Leave :exec
DELETE FROM members WHERE gid = ? AND uid = ? AND since = ?;
-- name: LeaveAll :exec
DELETE FROM members WHERE uid = ?;
-- name: Empty :exec
DELETE FROM members WHERE gid = ?;
-- name: DropGroup :exec
-- @strict
DELETE FROM groups WHERE gid = ?;
-- name: DropUser :exec
DELETE FROM users WHERE uid = ?;
";

#[test]
fn groups() {
    for seed in 1..=5 {
        simulate(GROUPS, &Options::default(), seed, 400);
        simulate(GROUPS, &tight(), seed, 200);
        simulate(GROUPS, &Options { rules_only: true, ..Options::default() }, seed, 200);
    }
}

/// Counters, exact numbers, prefixes, nulls as constants, arrays too large for a collection, and a
/// tenant.
const SHOP: &str = "
-- @tenant tenant
CREATE TABLE products (tenant int, pid int, name text NOT NULL, price int, sold int NOT NULL, stock int NOT NULL, -- @exact
  labels text[], -- @items 500 @set
  PRIMARY KEY (tenant, pid));
CREATE TABLE reviews (tenant int, rid int, pid int NOT NULL, stars int, body text,
  PRIMARY KEY (tenant, rid), FOREIGN KEY (tenant, pid) REFERENCES products);
-- name: Product :one
SELECT name, price, sold, stock, labels FROM products WHERE tenant = ? AND pid = ?;
-- name: ByPrefix :many
SELECT pid, name FROM products WHERE tenant = ? AND name LIKE ? || '%';
-- name: ByPrice :many
SELECT pid, name, price FROM products WHERE tenant = ? ORDER BY COALESCE(price, 0);
-- name: ByLabel :many
SELECT pid, name FROM products WHERE tenant = ? AND ? = ANY(labels);
-- name: Reviews :many
SELECT r.rid, r.stars, r.body, p.name FROM reviews r JOIN products p ON p.tenant = r.tenant AND p.pid = r.pid
  WHERE r.tenant = ? AND r.pid = ?;
-- name: Rating :one
SELECT AVG(stars), COUNT(*) FROM reviews WHERE tenant = ? AND pid = ?;
-- name: Good :many
SELECT rid, pid FROM reviews WHERE tenant = ? AND stars IN (3, 4) AND body IS NOT NULL;
-- name: Offer :exec
INSERT INTO products (tenant, pid, name, price, stock, labels, sold) VALUES (?, ?, ?, ?, ?, ?, 0);
-- name: Sell :exec
UPDATE products SET sold = sold + ? WHERE tenant = ? AND pid = ?;
-- name: Take :exec
UPDATE products SET stock = stock - ? WHERE tenant = ? AND pid = ?;
-- name: Reprice :exec
UPDATE products SET price = ?, name = ? WHERE tenant = ? AND pid = ?;
-- name: Label :exec
UPDATE products SET labels = array_append(labels, ?) WHERE tenant = ? AND pid = ?;
-- name: Unlabel :exec
UPDATE products SET labels = array_remove(labels, ?) WHERE tenant = ? AND pid = ?;
-- name: Relabel :exec
UPDATE products SET labels = ?, name = ? WHERE tenant = ? AND pid = ?;
-- name: Drop :exec
DELETE FROM products WHERE tenant = ? AND pid = ?;
-- name: Review :exec
INSERT INTO reviews (tenant, rid, pid, stars, body) VALUES (?, ?, ?, ?, ?);
-- name: Restar :exec
UPDATE reviews SET stars = ?, body = ? WHERE tenant = ? AND rid = ?;
-- name: Repoint :exec
UPDATE reviews SET pid = ? WHERE tenant = ? AND rid = ?;
-- name: Retract :exec
DELETE FROM reviews WHERE tenant = ? AND rid = ?;
";

#[test]
fn shop() {
    for seed in 1..=5 {
        simulate(SHOP, &Options::default(), seed, 500);
        simulate(SHOP, &tight(), seed, 200);
    }
}

/// Three entities in a row, lists, two arrays at once, a subtype, and rows that expire.
const MISC: &str = "
CREATE TABLE regions (rid int PRIMARY KEY, name text NOT NULL);
CREATE TABLE shops (sid int PRIMARY KEY, rid int NOT NULL REFERENCES regions, name text, kinds text[], codes int[]);
CREATE TABLE cafes (sid int PRIMARY KEY REFERENCES shops, seats int);
CREATE TABLE sales (saleid int PRIMARY KEY, sid int NOT NULL REFERENCES shops, amount int NOT NULL, at timestamp NOT NULL);
-- name: SalesOfRegion :many
SELECT s.saleid, s.amount, h.name, r.name FROM regions r JOIN shops h ON h.rid = r.rid JOIN sales s ON s.sid = h.sid
  WHERE r.rid = ? ORDER BY s.at DESC;
-- name: SalesByRegionName :many
SELECT s.saleid, s.amount FROM sales s JOIN shops h ON h.sid = s.sid JOIN regions r ON r.rid = h.rid WHERE r.name = ? AND s.at > ?;
-- name: Total :one
SELECT SUM(s.amount) FROM sales s JOIN shops h ON h.sid = s.sid WHERE h.rid = ?;
-- name: ByKindAndCode :many
SELECT sid, name, kinds FROM shops WHERE ? = ANY(kinds) AND ? = ANY(codes);
-- name: ByKind :many
SELECT h.sid, h.name, r.name FROM shops h JOIN regions r ON r.rid = h.rid WHERE ? = ANY(h.kinds);
-- name: SalesOfShop :many
SELECT s.saleid, s.at, h.kinds, h.name, r.name FROM sales s JOIN shops h ON h.sid = s.sid JOIN regions r ON r.rid = h.rid
  WHERE h.sid = ? ORDER BY s.at;
-- name: Cafe :one
SELECT c.seats, h.name FROM cafes c JOIN shops h ON h.sid = c.sid WHERE c.sid = ?;
-- name: Region :one
SELECT name FROM regions WHERE rid = ?;
-- name: CountKind :one
SELECT COUNT(*) FROM shops WHERE ? = ANY(kinds);
-- name: AddRegion :exec
INSERT INTO regions (rid, name) VALUES (?, ?);
-- name: AddShop :exec
INSERT INTO shops (sid, rid, name, kinds, codes) VALUES (?, ?, ?, ?, ?);
-- name: AddCafe :exec
INSERT INTO cafes (sid, seats) VALUES (?, ?);
-- name: Sell :exec
INSERT INTO sales (saleid, sid, amount, at) VALUES (?, ?, ?, ?);
-- name: RenameRegion :exec
UPDATE regions SET name = ? WHERE rid = ?;
-- name: RenameShop :exec
UPDATE shops SET name = ? WHERE sid = ?;
-- name: MoveShop :exec
UPDATE shops SET rid = ? WHERE sid = ?;
-- name: Rekind :exec
UPDATE shops SET kinds = ?, codes = ? WHERE sid = ?;
-- name: AddKind :exec
UPDATE shops SET kinds = array_append(kinds, ?) WHERE sid = ?;
-- name: DropCode :exec
UPDATE shops SET codes = array_remove(codes, ?), name = ? WHERE sid = ?;
-- name: DropKindAndMove :exec
UPDATE shops SET kinds = array_remove(kinds, ?), rid = ? WHERE sid = ?;
-- name: Reseat :exec
UPDATE cafes SET seats = ? WHERE sid = ?;
-- name: Correct :exec
UPDATE sales SET amount = ?, sid = ? WHERE saleid = ?;
-- name: Void :exec
DELETE FROM sales WHERE saleid = ?;
-- name: VoidAll :exec
DELETE FROM sales WHERE sid = ? AND at < ?;
-- name: CloseCafe :exec
DELETE FROM cafes WHERE sid = ?;
-- name: CloseShop :exec
DELETE FROM shops WHERE sid = ?;
-- name: DropRegion :exec
DELETE FROM regions WHERE rid = ?;
";

#[test]
fn misc() {
    for seed in 1..=5 {
        simulate(MISC, &Options::default(), seed, 500);
        simulate(MISC, &tight(), seed, 300);
    }
}

/// Two lists of one parent side by side: every video with every list.
const CROSS: &str = "
CREATE TABLE users (uid int PRIMARY KEY, name text);
CREATE TABLE videos (vid int PRIMARY KEY, uid int NOT NULL REFERENCES users, title text);
CREATE TABLE lists (lid int PRIMARY KEY, uid int NOT NULL REFERENCES users, label text);
-- name: Both :many
SELECT u.name, v.vid, v.title, l.lid, l.label FROM users u JOIN videos v ON v.uid = u.uid JOIN lists l ON l.uid = u.uid WHERE u.uid = ?;
-- name: Pairs :one
SELECT COUNT(*) FROM users u JOIN videos v ON v.uid = u.uid JOIN lists l ON l.uid = u.uid WHERE u.name = ?;
-- name: AddUser :exec
INSERT INTO users (uid, name) VALUES (?, ?);
-- name: AddVideo :exec
INSERT INTO videos (vid, uid, title) VALUES (?, ?, ?);
-- name: AddList :exec
INSERT INTO lists (lid, uid, label) VALUES (?, ?, ?);
-- name: Retitle :exec
UPDATE videos SET title = ? WHERE vid = ?;
-- name: Rename :exec
UPDATE users SET name = ? WHERE uid = ?;
-- name: MoveList :exec
UPDATE lists SET uid = ? WHERE lid = ?;
-- name: MoveVideo :exec
UPDATE videos SET uid = ?, title = ? WHERE vid = ?;
-- name: DropVideo :exec
DELETE FROM videos WHERE vid = ?;
-- name: DropList :exec
DELETE FROM lists WHERE lid = ?;
";

#[test]
fn cross() {
    for seed in 1..=5 {
        simulate(CROSS, &Options::default(), seed, 300);
    }
}
