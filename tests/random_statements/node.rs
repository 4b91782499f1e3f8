//! The real Cassandra's side.

use std::net::SocketAddr;

use super::probe::Probe;
use crate::protocol::{Answer, Connection, Options, Version};
use crate::verdict::Verdict;

/// Codes of errors that say nothing about the statement: overload, timeouts, failures of replicas.
const UNJUDGED: std::ops::RangeInclusive<u32> = 0x1000..=0x1700;
/// The code of a failed function, which does judge.
const FUNCTION_FAILURE: u32 = 0x1400;
/// So many requests without an answer, and the node is given up: each costs a minute and a half.
const SILENCES_MAX: usize = 3;

/// A connection that is opened anew for each schema, so that no `USE` outlives it.
pub(super) struct NodeConnection {
    address: SocketAddr,
    connection: Connection,
    silences: usize,
}

impl NodeConnection {
    /// Connects.
    pub(super) fn open(address: SocketAddr) -> Self {
        Self { address, connection: connect(address), silences: 0 }
    }

    /// What it says to a statement, or why there is no verdict.
    pub(super) fn judge(&mut self, ask: &Probe) -> Result<Verdict, String> {
        match Verdict::from_node(&mut self.connection, &ask.text, ask.manner) {
            Ok(Verdict { refusal: Some((code, text)), .. })
                if UNJUDGED.contains(&code) && code != FUNCTION_FAILURE =>
            {
                Err(text)
            }
            Ok(verdict) => Ok(verdict),
            Err(error) => {
                self.silences += 1;
                assert!(
                    self.silences < SILENCES_MAX,
                    "no answer to: {}\n{error}; the node is given up",
                    ask.text
                );
                self.connection = connect(self.address);
                Err(error.to_string())
            }
        }
    }

    /// Drops the keyspaces that start so.
    pub(super) fn drop_keyspaces(&mut self, prefix: &str) {
        self.connection = connect(self.address);
        let list = "SELECT keyspace_name FROM system_schema.keyspaces";
        let list = self.connection.query(list, &Options::default());
        let Ok(Ok(Answer::Rows(rows))) = list.map(|outcome| outcome.result) else { return };
        for row in rows.rows {
            let cell = row.first().and_then(|cell| cell.as_deref());
            let name = cell.map(String::from_utf8_lossy).unwrap_or_default();
            if name.starts_with(prefix) {
                // A keyspace that stays costs memory on the node and nothing here.
                let drop = format!("DROP KEYSPACE \"{name}\"");
                let _ = self.connection.query(&drop, &Options::default());
            }
        }
    }
}

fn connect(address: SocketAddr) -> Connection {
    Connection::open(address, Version::V5).expect("the node takes connections")
}
