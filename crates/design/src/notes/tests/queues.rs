//! Queues, recognised by what statements do; and what looks like one and is none.
//!
//! A file is a table with its statements: `[rate]` before a statement is its rate, `{n}` in the
//! table are its rows.

use std::fmt::Write;

use model::plan::{Design, NoteKind};

use crate::{Options, design};

/// A model: tables, then statements with their rates.
struct QueueCase {
    what: &'static str,
    tables: &'static str,
    statements: &'static [(&'static str, &'static str)],
}

const JOBS: &str = "
    -- @rows 500
    CREATE TABLE jobs (id uuid PRIMARY KEY, -- @time
      kind text NOT NULL, -- @distinct 5
      priority int NOT NULL, state text NOT NULL, -- @distinct 4
      run_at timestamp NOT NULL, attempts int NOT NULL, worker text, done boolean NOT NULL, body text);";

const QUEUES: &[QueueCase] = &[
    QueueCase {
        what: "rows deleted one by one",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs ORDER BY id LIMIT 20"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "DELETE FROM jobs WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "one row at a time",
        tables: JOBS,
        statements: &[
            (":one 20/s", "SELECT id, body FROM jobs WHERE kind = ? ORDER BY run_at LIMIT 1"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "DELETE FROM jobs WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "in no order",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE kind = ? LIMIT 5"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "DELETE FROM jobs WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a status that leaves the polled set",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE state = 'ready' ORDER BY run_at LIMIT 20"),
            ("2k/day", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("2k/day", "UPDATE jobs SET state = 'running' WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a status given as a parameter",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE state = ? ORDER BY run_at LIMIT 20"),
            ("2k/day", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("4k/day", "UPDATE jobs SET state = ? WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "an outbox flag",
        tables: "-- @rows 10M
            CREATE TABLE outbox (seq bigint PRIMARY KEY, topic text NOT NULL, event text NOT NULL, published boolean NOT NULL);",
        statements: &[
            ("5/s", "SELECT seq, topic, event FROM outbox WHERE published = false ORDER BY seq LIMIT 100"),
            ("50/s", "INSERT INTO outbox (seq, topic, event, published) VALUES (?,?,?,false)"),
            ("50/s", "UPDATE outbox SET published = true WHERE seq = ?"),
        ],
    },
    QueueCase {
        what: "the most urgent first",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE kind = ? ORDER BY priority DESC, run_at LIMIT 20"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "DELETE FROM jobs WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "jobs that are due",
        tables: JOBS,
        statements: &[
            ("1/s", "SELECT id, run_at, body FROM jobs WHERE kind = ? AND run_at <= ? ORDER BY run_at LIMIT 50"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "DELETE FROM jobs WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a claim with a condition",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE state = 'ready' ORDER BY run_at LIMIT 1"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "UPDATE jobs SET state = 'taken', worker = ? WHERE id = ? AND state = 'ready'"),
        ],
    },
    QueueCase {
        what: "a claim of what nobody holds",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE worker IS NULL ORDER BY run_at LIMIT 5"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "UPDATE jobs SET worker = ? WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a later time puts them behind the others",
        tables: "-- @rows 10k
            CREATE TABLE feeds (feed_id uuid PRIMARY KEY, url text NOT NULL, next_fetch timestamp NOT NULL);",
        statements: &[
            ("1/s", "SELECT feed_id, url FROM feeds WHERE next_fetch <= ? ORDER BY next_fetch LIMIT 50"),
            ("10/s", "UPDATE feeds SET next_fetch = ? WHERE feed_id = ?"),
        ],
    },
    QueueCase {
        what: "one of a few queues, by reference",
        tables: "-- @rows 8
            CREATE TABLE channels (name text PRIMARY KEY);
            CREATE TABLE mails (channel text NOT NULL REFERENCES channels, -- @each 20
              mail_id uuid NOT NULL, -- @time
              body text, PRIMARY KEY (channel, mail_id));",
        statements: &[
            ("5/s", "SELECT mail_id, body FROM mails WHERE channel = ? ORDER BY mail_id LIMIT 10"),
            ("500/day", "INSERT INTO mails (channel, mail_id, body) VALUES (?,?,?)"),
            ("500/day", "DELETE FROM mails WHERE channel = ? AND mail_id = ?"),
        ],
    },
    QueueCase {
        what: "many queues, each of them busy",
        tables: "-- @rows 5k
            CREATE TABLE tenants (tenant uuid PRIMARY KEY);
            CREATE TABLE tasks (tenant uuid NOT NULL REFERENCES tenants, -- @each 10
              task_id uuid NOT NULL, -- @time
              body text, PRIMARY KEY (tenant, task_id));",
        statements: &[
            ("500/s", "SELECT task_id, body FROM tasks WHERE tenant = ? ORDER BY task_id LIMIT 10"),
            ("100/s", "INSERT INTO tasks (tenant, task_id, body) VALUES (?,?,?)"),
            ("100/s", "DELETE FROM tasks WHERE tenant = ? AND task_id = ?"),
        ],
    },
    QueueCase {
        what: "without a figure",
        tables: "CREATE TABLE emails_to_send (id uuid PRIMARY KEY, created timestamp NOT NULL, address text NOT NULL, sent boolean NOT NULL);",
        statements: &[
            ("", "SELECT id, address FROM emails_to_send WHERE sent = false ORDER BY created LIMIT 10"),
            ("", "INSERT INTO emails_to_send (id, created, address, sent) VALUES (?,?,?,false)"),
            ("", "UPDATE emails_to_send SET sent = true WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "with its jobs read by id, too",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE done = false ORDER BY run_at LIMIT 20"),
            ("100/s", "SELECT state, body FROM jobs WHERE id = ?"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "UPDATE jobs SET done = true, worker = ? WHERE id = ?"),
        ],
    },
];

const OTHERS: &[QueueCase] = &[
    QueueCase {
        what: "a registry, of which little is removed",
        tables: "-- @rows 200k
            CREATE TABLE devices (serial text PRIMARY KEY, registered timestamp NOT NULL, model text NOT NULL);",
        statements: &[
            ("2/s", "SELECT serial, model FROM devices ORDER BY registered LIMIT 50"),
            ("200/day", "INSERT INTO devices (serial, registered, model) VALUES (?,?,?)"),
            ("5/day", "DELETE FROM devices WHERE serial = ?"),
        ],
    },
    QueueCase {
        what: "a registry by name",
        tables: "-- @rows 10k
            CREATE TABLE members (id uuid PRIMARY KEY, club text NOT NULL, -- @distinct 20
              name text NOT NULL);",
        statements: &[
            ("20/s", "SELECT id, name FROM members WHERE club = ? ORDER BY name LIMIT 50"),
            ("100/day", "INSERT INTO members (id, name, club) VALUES (?,?,?)"),
            ("100/day", "DELETE FROM members WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a history",
        tables: "-- @rows 1M
            CREATE TABLE events (account uuid NOT NULL, at timestamp NOT NULL, id uuid NOT NULL, what text, PRIMARY KEY (account, at, id));",
        statements: &[
            ("50/s", "SELECT at, id, what FROM events WHERE account = ? ORDER BY at LIMIT 100"),
            ("50/s", "INSERT INTO events (account, at, id, what) VALUES (?,?,?,?)"),
        ],
    },
    QueueCase {
        what: "a history that is read on",
        tables: "-- @rows 1M
            CREATE TABLE log (stream text NOT NULL, -- @distinct 10
              seq bigint NOT NULL, what text, PRIMARY KEY (stream, seq));",
        statements: &[
            ("50/s", "SELECT seq, what FROM log WHERE stream = ? AND seq > ? ORDER BY seq LIMIT 100"),
            ("5/s", "INSERT INTO log (stream, seq, what) VALUES (?,?,?)"),
            ("5/s", "DELETE FROM log WHERE stream = ? AND seq = ?"),
        ],
    },
    QueueCase {
        what: "the inbox of a user",
        tables: "-- @rows 100k
            CREATE TABLE users (user_id uuid PRIMARY KEY);
            CREATE TABLE messages (user_id uuid NOT NULL REFERENCES users, -- @each 50
              sent timestamp NOT NULL, id uuid NOT NULL, body text, PRIMARY KEY (user_id, sent, id));",
        statements: &[
            ("500/s", "SELECT sent, id, body FROM messages WHERE user_id = ? ORDER BY sent LIMIT 20"),
            ("20/s", "INSERT INTO messages (user_id, sent, id, body) VALUES (?,?,?,?)"),
            ("20/s", "DELETE FROM messages WHERE user_id = ? AND sent = ? AND id = ?"),
        ],
    },
    QueueCase {
        what: "unread messages of a user",
        tables: "-- @rows 1M
            CREATE TABLE users (user_id uuid PRIMARY KEY);
            CREATE TABLE messages (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, -- @each 30
              sent timestamp NOT NULL, read boolean NOT NULL, body text);",
        statements: &[
            ("500/s", "SELECT id, body FROM messages WHERE user_id = ? AND read = false ORDER BY sent LIMIT 20"),
            ("20/s", "INSERT INTO messages (id, user_id, sent, read, body) VALUES (?,?,?,false,?)"),
            ("20/s", "UPDATE messages SET read = true WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a soft delete",
        tables: "-- @rows 50k
            CREATE TABLE posts (post_id uuid PRIMARY KEY);
            CREATE TABLE comments (id uuid PRIMARY KEY, post_id uuid NOT NULL REFERENCES posts, -- @each 20
              at timestamp NOT NULL, body text, deleted boolean NOT NULL);",
        statements: &[
            ("500/s", "SELECT id, body FROM comments WHERE post_id = ? AND deleted = false ORDER BY at LIMIT 50"),
            ("20/s", "INSERT INTO comments (id, post_id, at, body, deleted) VALUES (?,?,?,?,false)"),
            ("100/day", "UPDATE comments SET deleted = true WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a soft delete in one list",
        tables: "-- @rows 5k
            CREATE TABLE articles (id uuid PRIMARY KEY, published timestamp NOT NULL, title text, hidden boolean NOT NULL);",
        statements: &[
            ("50/s", "SELECT id, title FROM articles WHERE hidden = false ORDER BY published LIMIT 20"),
            ("50/day", "INSERT INTO articles (id, published, title, hidden) VALUES (?,?,?,false)"),
            ("1/day", "UPDATE articles SET hidden = true WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "rows that expire",
        tables: "-- @rows 100k  @retain 1d
            CREATE TABLE ticks (worker int NOT NULL, -- @distinct 16
              tick_id uuid NOT NULL, -- @time
              body text, PRIMARY KEY (worker, tick_id));",
        statements: &[
            ("50/s", "SELECT tick_id, body FROM ticks WHERE worker = ? AND tick_id > ? ORDER BY tick_id LIMIT 10"),
            ("20/s", "INSERT INTO ticks (worker, tick_id, body) VALUES (?,?,?)"),
        ],
    },
    QueueCase {
        what: "the items of a basket",
        tables: "-- @rows 300k
            CREATE TABLE baskets (basket uuid PRIMARY KEY);
            CREATE TABLE items (basket uuid NOT NULL REFERENCES baskets, -- @each 4
              pos int NOT NULL, sku text NOT NULL, PRIMARY KEY (basket, pos));",
        statements: &[
            ("500/s", "SELECT pos, sku FROM items WHERE basket = ? ORDER BY pos LIMIT 100"),
            ("20/s", "INSERT INTO items (basket, pos, sku) VALUES (?,?,?)"),
            ("20/s", "DELETE FROM items WHERE basket = ? AND pos = ?"),
        ],
    },
    QueueCase {
        what: "the newest first",
        tables: "-- @rows 1k
            CREATE TABLE alerts (id uuid PRIMARY KEY, raised timestamp NOT NULL, site text NOT NULL, -- @distinct 3
              text text);",
        statements: &[
            ("5/s", "SELECT id, text FROM alerts WHERE site = ? ORDER BY raised DESC LIMIT 20"),
            ("10/h", "INSERT INTO alerts (id, raised, site, text) VALUES (?,?,?,?)"),
            ("10/h", "DELETE FROM alerts WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a list of scores",
        tables: "-- @rows 100k
            CREATE TABLE scores (player uuid PRIMARY KEY, game text NOT NULL, -- @distinct 10
              points int NOT NULL);",
        statements: &[
            ("50/s", "SELECT player, points FROM scores WHERE game = ? ORDER BY points DESC LIMIT 10"),
            ("10/s", "INSERT INTO scores (player, game, points) VALUES (?,?,?)"),
            ("20/s", "UPDATE scores SET points = ? WHERE player = ?"),
        ],
    },
    QueueCase {
        what: "rows whose key the read does not return",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT kind, run_at FROM jobs WHERE kind = ? ORDER BY run_at LIMIT 20"),
            ("3/day", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/day", "DELETE FROM jobs WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a list without figures that is read in other ways",
        tables: "CREATE TABLE cameras (id uuid PRIMARY KEY, installed timestamp NOT NULL, place text);",
        statements: &[
            ("", "SELECT id, place FROM cameras ORDER BY installed LIMIT 50"),
            ("", "SELECT installed, place FROM cameras WHERE id = ?"),
            ("", "INSERT INTO cameras (id, installed, place) VALUES (?,?,?)"),
            ("", "DELETE FROM cameras WHERE id = ?"),
        ],
    },
    QueueCase {
        what: "a state that is set back",
        tables: JOBS,
        statements: &[
            ("20/s", "SELECT id, body FROM jobs WHERE state = 'ready' ORDER BY run_at LIMIT 20"),
            ("3/s", "INSERT INTO jobs (id, kind, priority, state, run_at, attempts, done) VALUES (?,?,?,?,?,?,?)"),
            ("3/s", "UPDATE jobs SET state = 'ready' WHERE id = ?"),
        ],
    },
];

impl QueueCase {
    /// The model file; `after` connects the consumer with the poll.
    fn text(&self, after: bool) -> String {
        let mut text = format!("{}\n", self.tables);
        for (at, (rate, sql)) in self.statements.iter().enumerate() {
            let is_read = sql.starts_with("SELECT");
            let (kind, rate) = match rate.strip_prefix(":one ") {
                Some(rate) => (":one", rate),
                None if is_read => (":many", *rate),
                None => (":exec", *rate),
            };
            let rate = if rate.is_empty() { String::new() } else { format!("@rate {rate}") };
            let after =
                if after && !is_read && !sql.starts_with("INSERT") { "@after S0" } else { "" };
            let _ = writeln!(text, "-- name: S{at} {kind}\n-- {rate} {after}\n{sql};");
        }
        text
    }

    fn design(&self, after: bool, options: &Options) -> Design {
        let text = self.text(after);
        let file = model::sql::read(&text, "queue");
        let file = file.unwrap_or_else(|wrong| panic!("{}: {wrong:#?}\n{text}", self.what));
        design(&file.concept, &file.workload, options)
    }
}

/// The refusals of a design as a queue, and whether its checklist minimises deletes.
fn judge(design: &Design) -> (Vec<String>, bool) {
    let refused = design.notes.iter().filter(|note| note.kind == NoteKind::Refusal);
    let texts = refused.map(|note| format!("{}; {}", note.topic, note.topic.help()));
    let point = &design.checklists[1].points[6];
    assert!(point.asks.starts_with("DELETEs"), "{}", point.asks);
    (texts.filter(|text| text.contains("form a queue")).collect(), point.holds == Some(true))
}

#[test]
fn queues_are_refused_in_every_form() {
    let mut wrong = Vec::new();
    for case in QUEUES {
        for (after, options) in [
            (false, Options::default()),
            (true, Options::default()),
            (false, Options { rules_only: true, ..Options::default() }),
        ] {
            let (refused, is_ticked) = judge(&case.design(after, &options));
            let says =
                ["tombstone", "two workers", "order is not guaranteed", "Kafka", "TTL", "status"];
            let is_said = |text: &String| says.iter().all(|part| text.contains(part));
            if !refused.iter().any(is_said) || is_ticked {
                wrong.push(format!("{} (after: {after}): {refused:?}, {is_ticked}", case.what));
            }
        }
    }
    assert!(wrong.is_empty(), "{} not refused:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_no_queue_is_not_refused_as_one() {
    let mut wrong = Vec::new();
    for case in OTHERS {
        for after in [false, true] {
            let (refused, _) = judge(&case.design(after, &Options::default()));
            wrong.extend(refused.into_iter().map(|text| format!("{}: {text}", case.what)));
        }
    }
    assert!(wrong.is_empty(), "{} refused:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn price_note_and_checklist_have_one_figure() {
    // 1,000 and 50,000 a day for ten days.
    for (rate, figure) in [("1000/day", "10k"), ("50k/day", "500k")] {
        let text = format!(
            "-- @rows 100
            CREATE TABLE jobs (queue text NOT NULL, -- @distinct 1
              job_id uuid NOT NULL, -- @time
              payload text, PRIMARY KEY (queue, job_id));
            -- name: Poll :many\n-- @rate 10/s
            SELECT job_id, payload FROM jobs WHERE queue = ? ORDER BY job_id LIMIT 10;
            -- name: Push :exec\n-- @rate {rate}
            INSERT INTO jobs (queue, job_id, payload) VALUES (?,?,?);
            -- name: Done :exec\n-- @rate {rate}
            DELETE FROM jobs WHERE queue = ? AND job_id = ?;"
        );
        let file = model::sql::read(&text, "queue").unwrap();
        let design = design(&file.concept, &file.workload, &Options::default());
        let (refused, is_ticked) = judge(&design);
        let wanted = format!("scans {figure} tombstones");
        assert!(refused.iter().any(|text| text.contains(&wanted)), "{refused:?}");
        let met = model::figures::format_count(design.reads[0].effort.tombstones);
        assert_eq!(met, figure, "the price");
        let evidence = &design.checklists[1].points[6].evidence;
        assert!(!is_ticked && evidence.contains(&format!("scans {figure}")), "{evidence}");
    }
}
