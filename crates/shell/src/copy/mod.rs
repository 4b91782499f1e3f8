//! COPY: parses the command, and streams a table to CSV (`export`) or back (`import`).
//!
//! `csv` reads and writes records, `conversion` turns fields into values, `options` holds the
//! options with cqlsh's defaults, `progress` the counter on the terminal.

mod conversion;
mod csv;
mod export;
mod import;
mod options;
mod progress;

use super::columns::{Column, table_columns};
use super::command::improper_command;
use super::command_words::CommandWord;
use super::{Shell, ShellError};
use options::CopyOptions;

/// A parsed COPY command.
#[derive(Debug, PartialEq, Eq)]
struct CopyCommand {
    keyspace: Option<String>,
    table: String,
    columns: Option<Vec<String>>,
    is_export: bool,
    /// `None` for standard input or output.
    file: Option<String>,
    options: Vec<(String, String)>,
}

/// The table to copy, and the selected columns.
struct CopyTable {
    keyspace: String,
    table: String,
    columns: Vec<String>,
    known: Vec<Column>,
}

impl CopyTable {
    /// `keyspace.table` in CQL.
    fn qualified_name(&self) -> String {
        let identifier = cql::printer::identifier;
        format!("{}.{}", identifier(&self.keyspace), identifier(&self.table))
    }

    /// Comma-separated columns in CQL.
    fn column_list(columns: &[String]) -> String {
        let names: Vec<String> =
            columns.iter().map(|name| cql::printer::identifier(name)).collect();
        names.join(", ")
    }

    fn key_columns(&self, kinds: &[&str]) -> Vec<String> {
        let columns = self.known.iter().filter(|column| kinds.contains(&&*column.kind));
        columns.map(|column| column.name.clone()).collect()
    }
}

impl Shell<'_> {
    /// `COPY table [(columns)] TO | FROM 'file' [WITH options]`.
    pub(crate) fn copy(&mut self, words: &[CommandWord]) -> Result<(), ShellError> {
        let command = parse_command(words).ok_or_else(|| improper_command("COPY"))?;
        let options =
            CopyOptions::read(&command.options, command.is_export).map_err(ShellError::Failed)?;
        let keyspace = command.keyspace.as_deref().or(self.session.keyspace());
        let Some(keyspace) = keyspace.map(str::to_owned) else {
            return Err(ShellError::Failed("Not in any keyspace.".to_owned()));
        };
        let known = table_columns(&mut *self.session, &keyspace, &command.table);
        if known.is_empty() {
            return Err(ShellError::Failed(format!("Column family {} not found", command.table)));
        }
        let all = || known.iter().map(|column| column.name.clone()).collect();
        let columns: Vec<String> = command.columns.unwrap_or_else(all);
        let exists = |name: &String| known.iter().any(|column| column.name == *name);
        if let Some(unknown) = columns.iter().find(|name| !exists(name)) {
            return Err(ShellError::Failed(format!("Invalid column name {unknown}")));
        }
        let subject = CopyTable { keyspace, table: command.table, columns, known };
        let file = command.file.as_deref().map(super::command::expand_home);
        if command.is_export {
            self.export(&subject, file.as_deref(), &options)
        } else {
            self.import(&subject, file.as_deref(), &options)
        }
    }

    fn announce(&mut self, subject: &CopyTable, columns: &[String]) -> Result<(), ShellError> {
        let CopyTable { keyspace, table, .. } = subject;
        let columns = columns.join(", ");
        let line = format!("\nStarting copy of {keyspace}.{table} with columns [{columns}].");
        self.screen.print_message(&line)?;
        Ok(self.screen.flush()?)
    }
}

fn parse_command(words: &[CommandWord]) -> Option<CopyCommand> {
    let mut rest = words.iter().peekable();
    let mut table = rest.next()?.as_name()?;
    let mut keyspace = None;
    if rest.next_if(|word| **word == CommandWord::Mark('.')).is_some() {
        keyspace = Some(std::mem::replace(&mut table, rest.next()?.as_name()?));
    }
    let mut columns = None;
    if rest.next_if(|word| **word == CommandWord::Mark('(')).is_some() {
        let mut names = Vec::new();
        loop {
            names.push(rest.next()?.as_name()?);
            match rest.next()? {
                CommandWord::Mark(',') => {}
                CommandWord::Mark(')') => break,
                _ => return None,
            }
        }
        columns = Some(names);
    }
    let direction = rest.next()?;
    let is_export = direction.is_keyword("TO");
    if !is_export && !direction.is_keyword("FROM") {
        return None;
    }
    let file = match rest.next()? {
        CommandWord::Text(file) => Some(file.clone()),
        word if word.is_keyword(if is_export { "STDOUT" } else { "STDIN" }) => None,
        _ => return None,
    };
    let mut options = Vec::new();
    while let Some(word) = rest.next() {
        if !word.is_keyword(if options.is_empty() { "WITH" } else { "AND" }) {
            return None;
        }
        let name = rest.next()?.as_name()?;
        rest.next_if(|word| **word == CommandWord::Mark('='))?;
        let value = match rest.next()? {
            CommandWord::Bare(value) | CommandWord::Text(value) | CommandWord::Name(value) => {
                value.clone()
            }
            CommandWord::Mark(_) => return None,
        };
        options.push((name, value));
    }
    Some(CopyCommand { keyspace, table, columns, is_export, file, options })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_words::split_words;

    #[test]
    fn commands_are_parsed() {
        let command = |text: &str| parse_command(&split_words(text).unwrap());
        let parsed = command("ks.t (a, \"B\") TO 'f.csv' WITH HEADER=true AND NULL='-'").unwrap();
        assert_eq!(parsed.keyspace.as_deref(), Some("ks"));
        assert_eq!(parsed.columns.unwrap(), ["a", "B"]);
        assert!(parsed.is_export);
        assert_eq!(parsed.options[1], ("null".to_owned(), "-".to_owned()));
        assert_eq!(command("t FROM STDIN").unwrap().file, None);
        for wrong in
            ["", "t", "t TO", "t TO STDIN", "t () TO 'f'", "t TO 'f' HEADER=true", "t TO 'f' WITH"]
        {
            assert_eq!(command(wrong), None, "{wrong}");
        }
    }

    /// The output of a shell for a script.
    fn shell_output(text: &str) -> String {
        let mut out = Vec::new();
        let database = crate::open(None).unwrap();
        let screen = crate::Screen::new(&mut out, Box::new(std::io::sink()), false, false);
        Shell::new(&database, None, screen).run_text("test", text, true).unwrap();
        String::from_utf8(out).unwrap()
    }

    const SCHEMA: &str = "
        CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
        USE ks;
        CREATE TYPE u (a int, b frozen<list<text>>);
        CREATE TABLE t (
            id int PRIMARY KEY, t text, l list<text>, m map<timestamp, frozen<set<inet>>>, u u,
            tu tuple<int, text>, v vector<float, 2>, bl blob, d decimal, da date, ti time,
            ts timestamp, du duration, f float, i uuid
        );";
    const ROWS: &str = r#"
        INSERT INTO t (id, t, l, m, u, tu, v, bl, d, da, ti, ts, du, f, i) VALUES (
            1, 'a,"b"\ ''c''
            two', ['', ',', ''''], {'2026-01-01': {'::1', '10.0.0.1'}},
            {a: null, b: ['x: {', 'y']}, (null, 'q'), [1, 2.5], 0x, 1.20, '2026-01-02',
            '12:34:56.789', '2026-01-01 12:00:00.123', 1mo2d3ns, 0.5,
            123e4567-e89b-12d3-a456-426655440000
        );
        INSERT INTO t (id, t) VALUES (2, '');"#;

    #[test]
    fn a_table_survives_a_round_trip() {
        let folder = std::env::temp_dir().join(format!("helenus-copy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("t.csv").display().to_string();
        let copy = |direction: &str| {
            format!("COPY t {direction} '{file}' WITH HEADER = true AND NULL = 'nil';")
        };
        let select = |rows: &str| shell_output(&format!("{SCHEMA} {rows} SELECT * FROM t;"));
        let before = select(ROWS);
        let after = select(&format!("{ROWS} {} TRUNCATE t; {}", copy("TO"), copy("FROM")));
        assert!(before.contains("two") && after.contains("2 rows imported"), "{before}{after}");
        assert!(after.ends_with(&before), "{before}{after}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
