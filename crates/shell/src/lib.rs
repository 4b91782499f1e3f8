//! The shell: runs statements and cqlsh's commands on an embedded engine or a cluster
//! (`shell_connection`), with the output of cqlsh.
//!
//! `script` splits a text into statements and commands. Commands (`command`, `command_names`,
//! `command_words`, `help`, `copy`) run in the shell; statements run on the engine, and their
//! results are printed by `results`, `describe`, `trace` or `json`, with values formatted by `cell`
//! (`number`, `timestamp`) in the tables of `table`. `prompt`, `completion` and `history` are the
//! interactive part.

#![expect(clippy::disallowed_methods, reason = "a prompt has files, a clock and an environment")]

mod cell;
mod columns;
mod command;
mod command_names;
mod command_words;
mod completion;
mod copy;
mod describe;
mod error_text;
mod help;
mod history;
mod interrupt;
mod json;
mod number;
mod prompt;
mod results;
mod screen;
pub mod script;
mod shell_connection;
mod table;
mod timestamp;
mod trace;

use std::io;
use std::path::Path;
use std::sync::Arc;

use cql::Consistency;
use engine::{Database, Options, Parameters, Session};
use storage::DataDirectory;
use storage::commit_log::LogOptions;
use storage::disk::SystemDisk;

use script::split_script;

pub use interrupt::InterruptFlag;
pub use prompt::ask_secretly;
pub use screen::Screen;
pub use shell_connection::{CopyStatement, ShellConnection};

/// The maximum nesting of SOURCE commands.
const SOURCE_DEPTH_MAX: usize = 16;

/// Opens the database in a folder, or a new one in memory.
pub fn open(folder: Option<&Path>) -> engine::Result<Database> {
    let directory = folder.map(|folder| DataDirectory {
        disk: Arc::new(SystemDisk),
        folder: folder.to_owned(),
        log: LogOptions::default(),
    });
    Database::open(Options { directory, ..Options::default() })
}

/// Why a statement or command failed.
#[derive(Debug)]
pub enum ShellError {
    /// The output could not be written.
    Output(io::Error),
    /// The engine rejected the statement.
    Refused(Box<engine::Error>),
    /// A command is malformed or failed.
    Failed(String),
}

impl From<io::Error> for ShellError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<engine::Error> for ShellError {
    fn from(error: engine::Error) -> Self {
        Self::Refused(Box::new(error))
    }
}

/// The settings that the commands of the shell change.
#[derive(Clone, Debug)]
struct ShellSettings {
    consistency: Consistency,
    serial_consistency: Consistency,
    /// The number of rows per page; `None` without paging.
    page_size: Option<i32>,
    is_tracing: bool,
    is_expanded: bool,
    /// Whether results are printed as JSON.
    is_json: bool,
}

/// The default page size.
const PAGE_SIZE: i32 = 100;

impl Default for ShellSettings {
    fn default() -> Self {
        Self {
            consistency: Consistency::One,
            serial_consistency: Consistency::Serial,
            page_size: Some(PAGE_SIZE),
            is_tracing: false,
            is_expanded: false,
            is_json: false,
        }
    }
}

/// A shell: a connection to a database, the settings of its commands, and a screen.
pub struct Shell<'a> {
    session: Box<dyn ShellConnection>,
    screen: Screen<'a>,
    settings: ShellSettings,
    /// Where the data is, for SHOW HOST: `, in memory`.
    location: String,
    /// The file and line being run; `None` at the prompt.
    origin: Option<(String, usize)>,
    /// The nesting of SOURCE commands.
    depth: usize,
    interrupt: InterruptFlag,
    /// The history of the prompt.
    entered: Vec<String>,
    /// Whether any statement or command has failed.
    pub has_failed: bool,
    /// Whether EXIT was entered.
    pub is_finished: bool,
}

impl<'a> Shell<'a> {
    /// A shell on a database.
    pub fn new(database: &Database, folder: Option<&Path>, screen: Screen<'a>) -> Self {
        Self::with_session(database.session(), folder, screen)
    }

    /// A shell on a session.
    pub fn with_session(session: Session, folder: Option<&Path>, screen: Screen<'a>) -> Self {
        let location = match folder {
            None => ", in memory".to_owned(),
            Some(folder) => format!(", in {}", folder.display()),
        };
        Self::with_connection(Box::new(session), location, screen)
    }

    /// A shell on a cluster at an address.
    pub fn with_address(
        connection: Box<dyn ShellConnection>,
        address: &str,
        screen: Screen<'a>,
    ) -> Self {
        Self::with_connection(connection, format!(" at {address}"), screen)
    }

    fn with_connection(
        session: Box<dyn ShellConnection>,
        location: String,
        screen: Screen<'a>,
    ) -> Self {
        Self {
            session,
            screen,
            settings: ShellSettings::default(),
            location,
            origin: None,
            depth: 0,
            interrupt: InterruptFlag::default(),
            entered: Vec::new(),
            has_failed: false,
            is_finished: false,
        }
    }

    /// The flag that interrupts the running statement.
    pub fn interrupt_flag(&self) -> InterruptFlag {
        self.interrupt.clone()
    }

    /// Prints only results, as JSON, from now on.
    pub fn set_json_output(&mut self) {
        self.settings.is_json = true;
        self.screen.is_quiet = true;
    }

    /// Sets the file and line of the next statement.
    pub fn set_origin(&mut self, name: &str, line: usize) {
        self.origin = Some((name.to_owned(), line));
    }

    /// Prints the greeting of an interactive session.
    pub fn greet(&mut self) -> io::Result<()> {
        for command in ["SHOW HOST", "SHOW VERSION"] {
            let done = self.perform(command);
            self.report(done, command)?;
        }
        self.screen.print_message("Use HELP for help.")
    }

    /// Runs all statements of a text; errors are printed, and the next statement runs.
    pub fn run_text(&mut self, name: &str, text: &str, is_file: bool) -> io::Result<()> {
        let (mut line, mut seen) = (1, 0);
        for piece in split_script(text) {
            line += count_newlines(text, seen, piece.start);
            seen = piece.start;
            self.origin = Some((name.to_owned(), line));
            let done = if is_file && !piece.is_complete {
                Err(ShellError::Failed("Incomplete statement at end of file".to_owned()))
            } else {
                self.perform(piece.text)
            };
            self.report(done, piece.text)?;
            if self.is_finished || self.interrupt.is_raised() {
                break;
            }
        }
        self.origin = None;
        Ok(())
    }

    /// Runs one statement or command.
    pub fn perform(&mut self, text: &str) -> Result<(), ShellError> {
        let (first, rest) = first_word(text);
        let word = first.to_ascii_uppercase();
        let done = match &*word {
            "DESCRIBE" | "DESC" if !self.settings.is_json => self.describe(text, rest),
            _ => match self.command(&word, rest) {
                Some(done) => done,
                None => self.run_statement(text, &word),
            },
        };
        self.screen.flush()?;
        done
    }

    /// Prints the error of a statement or command, if it failed.
    pub fn report(&mut self, done: Result<(), ShellError>, text: &str) -> io::Result<()> {
        let message = match done {
            Ok(()) => return Ok(()),
            Err(ShellError::Output(error)) => return Err(error),
            Err(ShellError::Failed(message)) => message,
            Err(ShellError::Refused(error)) => {
                self.print_warnings(&error.warnings)?;
                let excerpt = error_text::excerpt(text, &error);
                let (first, _) = first_word(text);
                if ["DESC", "DESCRIBE"].iter().any(|word| word.eq_ignore_ascii_case(first)) {
                    error.message
                } else {
                    error_text::describe(&error) + &excerpt
                }
            }
        };
        self.has_failed = true;
        match &self.origin {
            Some((name, line)) => self.screen.print_error(&format!("{name}:{line}:{message}")),
            None => self.screen.print_error(&message),
        }
    }

    /// Runs the statements of a file.
    fn run_file(&mut self, path: &str) -> Result<(), ShellError> {
        if self.depth >= SOURCE_DEPTH_MAX {
            return Err(ShellError::Failed(format!(
                "SOURCE commands are nested more than {SOURCE_DEPTH_MAX} levels deep"
            )));
        }
        let text = regular_file::read(Path::new(path))
            .map_err(|error| ShellError::Failed(format!("Could not open '{path}': {error}")))?;
        let text = String::from_utf8_lossy(&text);
        let (origin, is_terminal) = (self.origin.take(), self.screen.is_terminal);
        self.depth += 1;
        self.screen.is_terminal = false;
        let done = self.run_text(path, &text, true);
        self.depth -= 1;
        self.screen.is_terminal = is_terminal;
        self.origin = origin;
        self.is_finished = false;
        Ok(done?)
    }

    /// The parameters of a statement.
    fn parameters<'p>(&self, paging_state: Option<&'p [u8]>) -> Parameters<'p> {
        Parameters {
            consistency: self.settings.consistency,
            serial_consistency: Some(self.settings.serial_consistency),
            page_size: self.settings.page_size,
            paging_state,
            tracing: self.settings.is_tracing,
            ..Parameters::default()
        }
    }

    fn print_warnings(&mut self, warnings: &[String]) -> io::Result<()> {
        if warnings.is_empty() {
            return Ok(());
        }
        let out = self.screen.results();
        writeln!(out, "\nWarnings :")?;
        warnings.iter().try_for_each(|warning| writeln!(out, "{warning}\n"))
    }
}

/// The first word of a text, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('?') {
        return ("?", rest.trim());
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim())
}

/// The number of newlines between two offsets.
fn count_newlines(text: &str, from: usize, to: usize) -> usize {
    text.get(from..to).unwrap_or_default().matches('\n').count()
}
