//! COPY FROM: reads CSV files, and inserts each row with a prepared statement.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use cql::printer::identifier;
use engine::{MarkerValue, MarkerValues, Parameters};

use super::super::{CopyStatement, Shell, ShellError};
use super::CopyTable;
use super::conversion::FieldConverter;
use super::csv::{CsvReader, Record};
use super::options::CopyOptions;
use super::progress::CopyProgress;

/// Further errors are only counted.
const ERRORS_SHOWN_MAX: u64 = 20;

/// The state of an import.
struct Import<'a> {
    options: &'a CopyOptions,
    prepared: CopyStatement,
    /// For each column of the file, the index of its bind marker, if any.
    markers: Vec<Option<usize>>,
    /// The primary key columns, with their index among the columns of the file.
    key: Vec<(usize, String)>,
    is_counter: bool,
    progress: CopyProgress,
    read: u64,
    skipped: u64,
    parse_errors: u64,
    insert_errors: u64,
    rejected: Option<BufWriter<File>>,
}

impl Shell<'_> {
    pub(super) fn import(
        &mut self,
        subject: &CopyTable,
        file: Option<&str>,
        options: &CopyOptions,
    ) -> Result<(), ShellError> {
        let used: Vec<String> = subject
            .columns
            .iter()
            .filter(|name| !options.columns_skipped.contains(name))
            .cloned()
            .collect();
        let key = subject.key_columns(&["partition_key", "clustering"]);
        if let Some(missing) = key.iter().find(|name| !used.contains(name)) {
            return Err(ShellError::Failed(format!(
                "Primary key column '{missing}' missing or skipped"
            )));
        }
        let mut import = self.prepare_import(subject, &used, &key, options)?;
        self.announce(subject, &used)?;
        let mut files = 0;
        match file {
            None => {
                self.screen.print_message("[Use . on a line by itself to end input]")?;
                self.screen.flush()?;
                let input = DotTerminatedInput::new(io::stdin().lock());
                self.import_file(&mut import, "<stdin>", input)?;
            }
            Some(paths) => {
                for path in expand_paths(paths).map_err(ShellError::Failed)? {
                    let name = path.display().to_string();
                    let failed = |error| {
                        ShellError::Failed(format!("Can't open '{name}' for reading: {error}"))
                    };
                    let input = BufReader::with_capacity(
                        1 << 16,
                        regular_file::open(&path).map_err(failed)?,
                    );
                    files += 1;
                    self.import_file(&mut import, &name, input)?;
                }
            }
        }
        self.end_import(import, files)
    }

    fn prepare_import<'o>(
        &mut self,
        subject: &CopyTable,
        used: &[String],
        key: &[String],
        options: &'o CopyOptions,
    ) -> Result<Import<'o>, ShellError> {
        let is_counter = subject.known.iter().any(|column| column.ty == "counter");
        let (text, order) = if is_counter {
            update_statement(subject, used, key)
        } else {
            (insert_statement(subject, used, options), used.to_vec())
        };
        let prepared = self.session.prepare(&text)?;
        let marker = |name: &String| order.iter().position(|marker| marker == name);
        let at = |name: &String| subject.columns.iter().position(|column| column == name);
        let rejected = match &options.error_file {
            None => None,
            Some(path) => {
                let failed =
                    |error| ShellError::Failed(format!("Can't open '{path}' for writing: {error}"));
                Some(BufWriter::new(regular_file::create(Path::new(path)).map_err(failed)?))
            }
        };
        Ok(Import {
            options,
            prepared,
            markers: subject.columns.iter().map(marker).collect(),
            key: key.iter().filter_map(|name| Some((at(name)?, name.clone()))).collect(),
            is_counter,
            progress: CopyProgress::new(),
            read: 0,
            skipped: 0,
            parse_errors: 0,
            insert_errors: 0,
            rejected,
        })
    }

    fn import_file(
        &mut self,
        import: &mut Import<'_>,
        name: &str,
        input: impl BufRead,
    ) -> Result<(), ShellError> {
        let mut reader = CsvReader::new(input, import.options.dialect);
        let mut record = Record::default();
        if import.options.has_header {
            reader.read(&mut record)?;
        }
        let mut values: Vec<Option<Vec<u8>>> = vec![None; import.prepared.markers.len()];
        while !import.is_over() && !self.interrupt.is_raised() {
            let failed = |error| ShellError::Failed(format!("Can't read '{name}': {error}"));
            let Some(line) = reader.read(&mut record).map_err(failed)? else { break };
            if import.skipped < import.options.rows_skipped {
                import.skipped += 1;
                continue;
            }
            import.read += 1;
            let reason = match import.convert(&record, &mut values) {
                Err(reason) => {
                    import.parse_errors += 1;
                    reason
                }
                Ok(()) => match self.insert_row(import, &values) {
                    Ok(()) => {
                        import.progress.add(1);
                        continue;
                    }
                    Err(reason) => {
                        import.insert_errors += 1;
                        reason
                    }
                },
            };
            import.reject(&record)?;
            if import.errors() <= ERRORS_SHOWN_MAX {
                self.screen.print_error(&format!("{name}:{line}: {reason}"))?;
            }
        }
        Ok(())
    }

    fn insert_row<'v>(
        &mut self,
        import: &Import<'_>,
        values: &'v [Option<Vec<u8>>],
    ) -> Result<(), String> {
        let bind = |value: &'v Option<Vec<u8>>| {
            value.as_deref().map_or(MarkerValue::Null, MarkerValue::Bytes)
        };
        let values = values.iter().map(bind).collect();
        let parameters = Parameters {
            values: MarkerValues::Positional(values),
            tracing: false,
            ..self.parameters(None)
        };
        let done = self.session.execute(&import.prepared, &parameters);
        done.map(|_| ()).map_err(|error| super::super::error_text::describe(&error))
    }

    fn end_import(&mut self, mut import: Import<'_>, files: usize) -> Result<(), ShellError> {
        if let Some(rejected) = &mut import.rejected {
            rejected.flush()?;
        }
        let (rows, skipped, failed) = (import.progress.rows, import.skipped, import.errors());
        let time = import.progress.finish();
        if failed > ERRORS_SHOWN_MAX {
            self.screen.print_error(&format!("... and {} more", failed - ERRORS_SHOWN_MAX))?;
        }
        let line = format!("{rows} rows imported from {files} files{time} ({skipped} skipped).");
        self.screen.print_message(&line)?;
        if failed == 0 {
            return Ok(());
        }
        let remark = match &import.options.error_file {
            Some(path) => format!("; failed rows written to {path}"),
            None => String::new(),
        };
        Err(ShellError::Failed(format!("Failed to process {failed} rows{remark}")))
    }
}

impl Import<'_> {
    fn errors(&self) -> u64 {
        self.parse_errors + self.insert_errors
    }

    /// Whether MAXROWS, MAXPARSEERRORS or MAXINSERTERRORS is reached.
    fn is_over(&self) -> bool {
        let options = self.options;
        options.rows_max.is_some_and(|most| self.read >= most)
            || options.parse_errors_max.is_some_and(|most| self.parse_errors > most)
            || options.insert_errors_max.is_some_and(|most| self.insert_errors > most)
    }

    /// Converts a record into the values of the bind markers.
    fn convert(&self, record: &Record, values: &mut [Option<Vec<u8>>]) -> Result<(), String> {
        if record.len() != self.markers.len() {
            let (actual, expected) = (record.len(), self.markers.len());
            return Err(format!("Invalid row length {actual} should be {expected}"));
        }
        let format = &self.options.format;
        let converter = FieldConverter { format, has_pattern: self.options.has_pattern };
        for (at, (field, marker)) in record.fields().zip(&self.markers).enumerate() {
            let Some(marker) = marker else { continue };
            let text = str::from_utf8(field).map_err(|_| "invalid UTF-8".to_owned())?;
            if text == format.null
                && let Some((_, name)) = self.key.iter().find(|(key, _)| *key == at)
            {
                return Err(self.null_key_message(name));
            }
            let (Some(column), Some(value)) =
                (self.prepared.markers.get(*marker), values.get_mut(*marker))
            else {
                continue;
            };
            *value = converter.convert_field(&column.ty, text)?;
            if self.is_counter && value.is_none() {
                *value = Some(0_i64.to_be_bytes().to_vec());
            }
        }
        Ok(())
    }

    fn null_key_message(&self, name: &str) -> String {
        let mut message = format!("Cannot insert null value for primary key column '{name}'.");
        if self.options.format.null.is_empty() {
            message.push_str(
                " If you want to insert empty strings, consider using the WITH NULL=<marker> option for COPY.",
            );
        }
        message
    }

    /// Writes a rejected row to ERRFILE, if there is one.
    fn reject(&mut self, record: &Record) -> io::Result<()> {
        let Some(file) = &mut self.rejected else { return Ok(()) };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let fields: Vec<String> = record.fields().map(text).collect();
        self.options.dialect.write(&fields, file)
    }
}

fn insert_statement(subject: &CopyTable, columns: &[String], options: &CopyOptions) -> String {
    let markers = vec!["?"; columns.len()].join(", ");
    let list = CopyTable::column_list(columns);
    let ttl = options.ttl.map_or(String::new(), |ttl| format!(" USING TTL {ttl}"));
    format!("INSERT INTO {} ({list}) VALUES ({markers}){ttl}", subject.qualified_name())
}

/// The statement that adds to the counters, and the columns of its markers in order.
fn update_statement(
    subject: &CopyTable,
    columns: &[String],
    key: &[String],
) -> (String, Vec<String>) {
    let counters: Vec<String> =
        columns.iter().filter(|name| !key.contains(name)).cloned().collect();
    let add = |name: &String| format!("{0} = {0} + ?", identifier(name));
    let equals = |name: &String| format!("{} = ?", identifier(name));
    let sums: Vec<String> = counters.iter().map(add).collect();
    let keys: Vec<String> = key.iter().map(equals).collect();
    let text = format!(
        "UPDATE {} SET {} WHERE {}",
        subject.qualified_name(),
        sums.join(", "),
        keys.join(" AND ")
    );
    (text, [counters, key.to_vec()].concat())
}

/// Expands a comma-separated list of paths, whose file names may contain `*` and `?`.
fn expand_paths(paths: &str) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths.split(',').map(str::trim) {
        if Path::new(path).is_file() {
            files.push(PathBuf::from(path));
            continue;
        }
        let (folder, pattern) = path.rsplit_once('/').unwrap_or((".", path));
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut matching: Vec<PathBuf> = entries
            .filter(|entry| matches(pattern.as_bytes(), entry.file_name().as_encoded_bytes()))
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
            .collect();
        if matching.is_empty() {
            return Err(format!("Can't open '{path}' for reading: no matching file found"));
        }
        matching.sort();
        files.append(&mut matching);
    }
    Ok(files)
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|at| matches(rest, &name[at..])),
        ([b'?', rest @ ..], [_, tail @ ..]) => matches(rest, tail),
        ([expected, rest @ ..], [byte, tail @ ..]) => expected == byte && matches(rest, tail),
        _ => false,
    }
}

/// An input that ends at a line with a single dot.
struct DotTerminatedInput<R> {
    input: R,
    line: Vec<u8>,
    at: usize,
    is_over: bool,
}

impl<R: BufRead> DotTerminatedInput<R> {
    fn new(input: R) -> Self {
        Self { input, line: Vec::new(), at: 0, is_over: false }
    }
}

impl<R: BufRead> Read for DotTerminatedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for DotTerminatedInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.line.len() && !self.is_over {
            self.line.clear();
            self.at = 0;
            self.input.read_until(b'\n', &mut self.line)?;
            if matches!(self.line.trim_ascii_end(), b"." | b"\\.") {
                self.line.clear();
            }
            self.is_over = self.line.is_empty();
        }
        Ok(self.line.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_files() {
        assert!(matches(b"*.csv", b"a.csv"));
        assert!(matches(b"a?c*", b"abc"));
        assert!(!matches(b"*.csv", b"a.txt"));
    }

    #[test]
    fn a_dot_ends_the_input() {
        let mut text = String::new();
        DotTerminatedInput::new(&b"a,b\nc\n.\nmore\n"[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, "a,b\nc\n");
    }
}
