//! The two sides of a comparison: the engine, and a real Cassandra.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use engine::{Database, Options, Parameters, ResultMessage, Session};
use storage::DataDirectory;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::{Disk, MemoryDisk};

use super::statement::WorkloadStatement;
use crate::protocol::{self, Answer, Connection, Version, spell_type};

/// More pages than any question has: an answer that goes on is a difference, not an endless test.
const PAGES_MAX: usize = 2_000;
/// The server failed: in itself, or because an index is still being built.
const READ_FAILURE: u32 = 0x1300;
const BUILDING: &str = "INDEX_";
const INDEX_WAITS: usize = 50;

pub(super) type RawRow = Vec<Option<Vec<u8>>>;

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Done,
    Rows { columns: Vec<String>, pages: Vec<Vec<RawRow>> },
    Refused { code: u32, text: String },
}

impl Reply {
    /// Whether the server failed, which says nothing about the statement.
    pub(super) fn is_failure(&self) -> bool {
        match self {
            Self::Refused { code: READ_FAILURE, .. } => true,
            // An exception that nobody there caught.
            Self::Refused { code: 0, text } => text.starts_with("java.lang."),
            _ => false,
        }
    }
}

/// The engine on a disk in memory, so that it can be closed and opened again.
pub(super) struct EngineSide {
    keyspace: String,
    disk: Arc<dyn Disk>,
    database: Option<Database>,
    session: Option<Session>,
}

impl EngineSide {
    /// A new engine with an empty keyspace.
    pub(super) fn new(keyspace: &str) -> Self {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let keyspace = keyspace.to_owned();
        let mut engine = Self { keyspace, disk, database: None, session: None };
        engine.open();
        let create = create_keyspace(&engine.keyspace);
        let created = engine.ask(&WorkloadStatement::write(create, Vec::new()));
        assert_eq!(created, Reply::Done, "the engine makes a keyspace");
        engine.open();
        engine
    }

    /// Closes the database and opens it again.
    pub(super) fn open(&mut self) {
        drop((self.session.take(), self.database.take()));
        let log = LogOptions { sync: SyncMode::Batch, ..LogOptions::default() };
        let directory = DataDirectory { disk: Arc::clone(&self.disk), folder: "/data".into(), log };
        let options = Options { directory: Some(directory), ..Options::default() };
        let database = Database::open(options).expect("the folder opens");
        let mut session = database.session();
        session.set_keyspace(&self.keyspace);
        (self.database, self.session) = (Some(database), Some(session));
    }

    /// Writes a checkpoint.
    pub(super) fn checkpoint(&mut self) {
        if let Some(database) = &self.database {
            database.checkpoint().expect("a checkpoint is written");
        }
    }

    /// The answer to a statement, all its pages.
    pub(super) fn ask(&mut self, statement: &WorkloadStatement) -> Reply {
        let session = self.session.as_mut().expect("the database is open");
        let (mut pages, mut state): (Vec<_>, Option<Vec<u8>>) = (Vec::new(), None);
        loop {
            let parameters = Parameters {
                page_size: statement.page_size.or(Some(5000)),
                paging_state: state.as_deref(),
                timestamp: statement.timestamp,
                ..Parameters::default()
            };
            match session.query(&statement.text, &parameters) {
                Err(error) => {
                    return Reply::Refused {
                        code: error.code.number().into(),
                        text: error.message,
                    };
                }
                Ok(engine::ExecutionResult { outcome: ResultMessage::Rows(rows), .. }) => {
                    let owned = |row: Vec<Option<&[u8]>>| {
                        row.into_iter().map(|value| value.map(Into::into)).collect::<RawRow>()
                    };
                    pages.push(rows.iter().map(owned).collect());
                    let spell = |column: &engine::ResultColumn| {
                        format!("{} {}", column.name, spell_type(&column.ty))
                    };
                    let columns = rows.columns.iter().map(spell).collect();
                    if rows.paging_state.is_none() || pages.len() > PAGES_MAX {
                        return Reply::Rows { columns, pages };
                    }
                    state = rows.paging_state;
                }
                Ok(_) => return Reply::Done,
            }
        }
    }
}

/// The real Cassandra.
pub(super) struct NodeSide {
    connection: Connection,
    keyspace: String,
}

impl NodeSide {
    /// Connects, to an empty keyspace.
    pub(super) fn new(address: SocketAddr, keyspace: &str) -> io::Result<Self> {
        let connection = Connection::open(address, Version::V5)?;
        let mut node = Self { connection, keyspace: keyspace.to_owned() };
        node.drop_keyspace()?;
        for text in [create_keyspace(keyspace), format!("USE {keyspace}")] {
            let reply = node.ask(&WorkloadStatement::write(text, Vec::new()))?;
            assert_eq!(reply, Reply::Done, "the node makes a keyspace");
        }
        Ok(node)
    }

    /// Drops the keyspace.
    pub(super) fn drop_keyspace(&mut self) -> io::Result<()> {
        let text = format!("DROP KEYSPACE IF EXISTS {}", self.keyspace);
        self.connection.query(&text, &protocol::Options::default()).map(drop)
    }

    /// The answer to a statement, all its pages.
    pub(super) fn ask(&mut self, statement: &WorkloadStatement) -> io::Result<Reply> {
        for _ in 0..INDEX_WAITS {
            match self.ask_once(statement)? {
                Reply::Refused { code: READ_FAILURE, text } if text.contains(BUILDING) => {
                    std::thread::sleep(Duration::from_millis(100));
                }
                reply => return Ok(reply),
            }
        }
        self.ask_once(statement)
    }

    fn ask_once(&mut self, statement: &WorkloadStatement) -> io::Result<Reply> {
        let (mut pages, mut state) = (Vec::new(), None);
        loop {
            let options = protocol::Options {
                page_size: statement.page_size.or(Some(5000)),
                paging_state: state,
                timestamp: statement.timestamp,
                ..protocol::Options::default()
            };
            match self.connection.query(&statement.text, &options)?.result {
                Err(refusal) => {
                    return Ok(Reply::Refused { code: refusal.code, text: refusal.message });
                }
                Ok(Answer::Rows(page)) => {
                    pages.push(page.rows);
                    if page.paging_state.is_none() || pages.len() > PAGES_MAX {
                        let spell = |column: &protocol::ColumnSpec| {
                            format!("{} {}", column.name, spell_type(&column.ty))
                        };
                        let columns = page.columns.iter().map(spell).collect();
                        return Ok(Reply::Rows { columns, pages });
                    }
                    state = page.paging_state;
                }
                Ok(_) => return Ok(Reply::Done),
            }
        }
    }
}

fn create_keyspace(keyspace: &str) -> String {
    format!(
        "CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
    )
}
