//! The cases under hostile settings: pages of one row, and a database that is closed, or killed, and opened again between
//! statements and between pages.

use std::io;
use std::sync::Arc;

use engine::Database;
use storage::DataDirectory;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::MemoryDisk;

use super::engine::{CaseReport, InProcess, run_file};
use super::file::CaseStatement;
use super::judge::Judge;
use super::select_files;
use crate::protocol::{Options, Outcome, PreparedStatement};

/// Every so many statements the database is opened anew, beginning with another one in every file. It is before every
/// further page too.
const STATEMENTS_PER_RESTART: usize = 3;

#[test]
fn pages_of_one_row_make_the_same_rows() {
    run_one_row_pages().conclude("in pages of one row");
}

#[test]
fn a_closed_database_says_the_same_when_opened() {
    run_with_restarts(DatabaseEnd::Closed).conclude("closed and opened");
}

#[test]
fn a_killed_database_says_the_same_when_opened() {
    run_with_restarts(DatabaseEnd::Killed).conclude("killed and opened");
}

#[test]
fn a_checkpoint_holds_everything() {
    run_with_restarts(DatabaseEnd::Checkpointed).conclude("with checkpoints");
}

pub(super) fn run_one_row_pages() -> CaseReport {
    let mut report = CaseReport::default();
    for mut file in select_files() {
        for statement in file.statements.iter_mut().filter(|statement| can_be_paged(statement)) {
            statement.request.page_size = Some(1);
            // How many pages there are was asked for another size.
            statement.verdict.pages = None;
        }
        let database =
            Database::open_in_memory(engine::Options::default()).expect("a database opens");
        run_file(&file, &mut InProcess::new(&database), &mut report, |_, _| Ok(()));
    }
    report
}

/// Rows of the nearest vectors come in one page, whatever its size.
fn can_be_paged(statement: &CaseStatement) -> bool {
    let text = statement.text.to_uppercase();
    text.starts_with("SELECT")
        && !text.contains(" ANN OF ")
        && statement.verdict.rows.is_some()
        && !statement.request.manner.unpaged
}

pub(super) fn run_with_restarts(end: DatabaseEnd) -> CaseReport {
    let mut report = CaseReport::default();
    for (shift, file) in select_files().iter().enumerate() {
        let mut judge = RestartSession::new(end);
        run_file(file, &mut judge, &mut report, |judge, number| {
            if (number + shift).is_multiple_of(STATEMENTS_PER_RESTART) {
                judge.reopen()?;
            }
            Ok(())
        });
    }
    report
}

/// How a database ends before it is opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatabaseEnd {
    /// In peace.
    Closed,
    /// By a loss of power, which leaves what was synced.
    Killed,
    /// The same, after a checkpoint.
    Checkpointed,
}

/// A session that lives through the ends of its database.
struct RestartSession {
    end: DatabaseEnd,
    disk: MemoryDisk,
    database: Option<Database>,
    session: Option<InProcess>,
    /// The texts of what is prepared, to be prepared again.
    prepared: Vec<String>,
}

impl RestartSession {
    fn new(end: DatabaseEnd) -> Self {
        let (disk, prepared) = (MemoryDisk::new(), Vec::new());
        let mut new = Self { end, disk, database: None, session: None, prepared };
        new.open(None).expect("a database opens");
        new
    }

    fn open(&mut self, keyspace: Option<&str>) -> io::Result<()> {
        let sync =
            if self.end == DatabaseEnd::Closed { SyncMode::default() } else { SyncMode::Batch };
        let directory = DataDirectory {
            disk: Arc::new(self.disk.clone()),
            folder: "data".into(),
            log: LogOptions { sync, ..LogOptions::default() },
        };
        let options = engine::Options { directory: Some(directory), ..engine::Options::default() };
        let database = Database::open(options).map_err(|e| io::Error::other(e.message))?;
        let mut session = InProcess::new(&database);
        session.set_keyspace(keyspace);
        for text in &self.prepared {
            // What cannot be prepared any more is not run either.
            let _ = session.prepare(text)?;
        }
        (self.database, self.session) = (Some(database), Some(session));
        Ok(())
    }

    fn reopen(&mut self) -> io::Result<()> {
        let keyspace = self.session().keyspace();
        if self.end == DatabaseEnd::Checkpointed
            && let Some(database) = &self.database
        {
            database.checkpoint().map_err(|e| io::Error::other(e.message))?;
        }
        if self.end != DatabaseEnd::Closed {
            self.disk = self.disk.crash();
        }
        (self.session, self.database) = (None, None);
        self.open(keyspace.as_deref())
    }

    fn session(&mut self) -> &mut InProcess {
        self.session.as_mut().expect("it was opened")
    }

    fn reopen_for_page(&mut self, options: &Options) -> io::Result<()> {
        if options.paging_state.is_some() { self.reopen() } else { Ok(()) }
    }
}

impl Judge for RestartSession {
    fn prepare(&mut self, text: &str) -> io::Result<Outcome> {
        self.prepared = vec![text.to_owned()];
        self.session().clear_prepared();
        self.session().prepare(text)
    }

    fn query(&mut self, text: &str, options: &Options) -> io::Result<Outcome> {
        self.reopen_for_page(options)?;
        self.session().query(text, options)
    }

    fn execute(&mut self, prepared: &PreparedStatement, options: &Options) -> io::Result<Outcome> {
        self.reopen_for_page(options)?;
        self.session().execute(prepared, options)
    }
}
