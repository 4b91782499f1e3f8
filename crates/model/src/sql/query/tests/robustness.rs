//! No input makes the reader panic.

use super::TABLES;
use crate::sql::read;

const STATEMENTS: &str = r#"
-- name: A :many
-- @rate 200/s  @after B, A
SELECT v.*, u.firstname AS "First" FROM videos v JOIN users u ON u.userid = v.userid AND u.active
WHERE v.userid = $1 AND (v.added, v.videoid) < ($2, $3::uuid) AND v.name LIKE 'x\%%' ORDER BY v.added DESC, 1 LIMIT $4;
-- name: B :many
-- @rate 1/s @exact
SELECT l.videoid, COUNT(*), MAX(l.at) FROM likes l, comments c
WHERE (l.videoid, l.commentid) = (:a, :b) AND c.videoid = l.videoid AND c.commentid = l.commentid GROUP BY l.videoid;
-- name: C :one
-- @rate 1/s
SELECT EXISTS(SELECT 1 FROM users WHERE email = ANY(?) AND age BETWEEN 1 AND ? AND address IN ('::1', '127.0.0.1'));
-- name: D :many
-- @rate 1/s
SELECT * FROM likes JOIN comments USING (videoid, commentid) WHERE at IS NOT NULL ORDER BY COALESCE(at, '2000-01-01') DESC NULLS LAST;
-- name: E :exec
-- @rate 5k/day @strict @consistency quorum
INSERT INTO videos (videoid, userid, name, tags, day, added) VALUES (?, ?, 'it''s', ARRAY['a'], '2024-01-01', ?) ON CONFLICT (videoid) DO NOTHING;
-- name: F :exec
-- @rate 1/s
UPDATE users SET logins = logins + ?, firstname = NULL WHERE userid = ? AND active;
-- name: G :exec
-- @rate 1/s
UPDATE videos SET tags = tags || ARRAY[?], rating = -1.5 WHERE videoid = ?;
-- name: H :exec
-- @rate 1/s
DELETE FROM comments WHERE videoid = ? AND commentid = ?;
"#;

/// A small generator of numbers, the same every time.
struct NumberGenerator(u64);

impl NumberGenerator {
    fn next_below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end.max(1)
    }
}

#[test]
fn it_is_valid_to_begin_with() {
    let text = format!("{TABLES}{STATEMENTS}");
    let file = read(&text, "test").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    assert_eq!((file.workload.reads.len(), file.workload.writes.len()), (4, 4));
}

#[test]
fn every_beginning() {
    let text = format!("{TABLES}{STATEMENTS}");
    for end in TABLES.len()..text.len() {
        if text.is_char_boundary(end) {
            check_errors(&text[..end]);
        }
    }
}

#[test]
fn words_left_out_and_exchanged() {
    let mut numbers = NumberGenerator(7);
    let words: Vec<&str> = STATEMENTS.split_inclusive([' ', '\n', ',', '(', ')', '.']).collect();
    for _ in 0..600 {
        let mut changed = words.clone();
        for _ in 0..=numbers.next_below(4) {
            let at = numbers.next_below(changed.len());
            match numbers.next_below(3) {
                0 => changed[at] = "",
                1 => changed[at] = words[numbers.next_below(words.len())],
                _ => changed.swap(at, numbers.next_below(words.len())),
            }
        }
        check_errors(&format!("{TABLES}{}", changed.concat()));
    }
}

/// Whatever it says, each error has a message, a place in the text and advice.
fn check_errors(text: &str) {
    let Err(errors) = read(text, "test") else { return };
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.span.end as usize <= text.len(), "{error:?}");
        assert!(error.span.start <= error.span.end, "{error:?}");
        assert!(!error.message.is_empty(), "{error:?}");
        assert!(error.help.is_some_and(|help| !help.is_empty()), "{}", error.message);
    }
}

#[test]
fn long_chains() {
    let chain = |word: &str, part: &str, count: usize| vec![part; count].join(word);
    for count in [100, 3_000] {
        for condition in [
            chain(" AND ", "active", count),
            chain(" OR ", "active", count),
            format!("age = {}", chain(" + ", "1", count)),
            format!("firstname = {}", chain(" || ", "'a'", count)),
            format!("age IN ({})", chain(", ", "?", count)),
            format!("lower({}) = ?", chain(" || ", "firstname", count)),
        ] {
            check_errors(&format!(
                "{TABLES}\n-- name: Q :many\nSELECT email FROM users WHERE {condition};"
            ));
        }
    }
    for list in [chain(", ", "email", 3_000), chain(", ", "?", 3_000)] {
        check_errors(&format!(
            "{TABLES}\n-- name: Q :many\nSELECT {list} FROM users ORDER BY {list};"
        ));
        check_errors(&format!(
            "{TABLES}\n-- name: Q :many\nSELECT {list}, COUNT(*) FROM users GROUP BY {list};"
        ));
        check_errors(&format!(
            "{TABLES}\n-- name: Q :exec\nINSERT INTO users ({list}) VALUES ({list});"
        ));
    }
    let nested = format!("{}active{}", "(".repeat(5_000), ")".repeat(5_000));
    check_errors(&format!("{TABLES}\n-- name: Q :many\nSELECT email FROM users WHERE {nested};"));
}
