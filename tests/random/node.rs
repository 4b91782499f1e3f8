//! The real Cassandra's side.

use std::net::SocketAddr;

use super::ask::{Ask, Respondent, Verdict};
use crate::protocol::{Answer, Connection, Options, Version};

/// Codes of errors that say nothing about the statement: overload, timeouts, failures of replicas.
const UNJUDGED: std::ops::RangeInclusive<u32> = 0x1000..=0x1700;
/// The code of a failed function, which does judge.
const FUNCTION_FAILURE: u32 = 0x1400;

/// So many requests without an answer, and the node is given up: each costs a minute and a half.
const SILENCES_MAX: usize = 3;

/// A connection that is opened anew for each schema, so that no `USE` outlives it.
pub(super) struct Node {
    address: SocketAddr,
    connection: Connection,
    silences: usize,
}

impl Node {
    /// Connects.
    pub(super) fn open(address: SocketAddr) -> Self {
        Self { address, connection: connect(address), silences: 0 }
    }
}

fn connect(address: SocketAddr) -> Connection {
    Connection::open(address, Version::V5).expect("the node takes connections")
}

impl Respondent for Node {
    fn ask(&mut self, ask: &Ask) -> Verdict {
        let outcome = if ask.prepare {
            self.connection.prepare(&ask.text)
        } else {
            self.connection.query(&ask.text, &Options::default())
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                self.silences += 1;
                assert!(self.silences < SILENCES_MAX, "the node no longer answers: {error}");
                self.connection = connect(self.address);
                return Verdict::Unjudged(error.to_string());
            }
        };
        match outcome.result {
            Ok(Answer::Prepared(prepared)) => {
                let line = prepared.markers_line();
                let names = line.split(" | key").next().unwrap_or_default();
                Verdict::Accepted(Some(names.to_owned()))
            }
            Ok(_) => Verdict::Accepted(None),
            Err(refusal)
                if UNJUDGED.contains(&refusal.code) && refusal.code != FUNCTION_FAILURE =>
            {
                Verdict::Unjudged(refusal.message)
            }
            Err(refusal) => Verdict::Refused { code: refusal.code, text: refusal.message },
        }
    }

    fn follow(&mut self, _: &Ask) -> Result<(), String> {
        Ok(())
    }

    fn forget(&mut self, prefix: &str) {
        self.connection = connect(self.address);
        let list = self
            .connection
            .query("SELECT keyspace_name FROM system_schema.keyspaces", &Options::default());
        let Ok(Ok(Answer::Rows(rows))) = list.map(|outcome| outcome.result) else { return };
        for row in rows.rows {
            let Some(Some(name)) =
                row.first().map(|cell| cell.as_deref().map(String::from_utf8_lossy))
            else {
                continue;
            };
            if name.starts_with(prefix) {
                // A keyspace that stays costs memory on the node and nothing here.
                let _ = self
                    .connection
                    .query(&format!("DROP KEYSPACE \"{name}\""), &Options::default());
            }
        }
    }
}
