//! COPY TO: pages through a table and writes CSV files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use engine::{MarkerValues, Parameters, ResultMessage, ResultSet};

use super::super::{Shell, ShellError};
use super::CopyTable;
use super::options::CopyOptions;
use super::progress::CopyProgress;

impl Shell<'_> {
    pub(super) fn export(
        &mut self,
        subject: &CopyTable,
        file: Option<&str>,
        options: &CopyOptions,
    ) -> Result<(), ShellError> {
        let text = select_statement(subject, options);
        let prepared = self.session.prepare(&text)?;
        if file.is_some() {
            self.announce(subject, &subject.columns)?;
        }
        let mut target = ExportTarget::new(file, subject, options);
        let mut progress = CopyProgress::new();
        target.open(self)?;
        let mut paging_state: Option<Vec<u8>> = None;
        loop {
            let parameters = Parameters {
                values: MarkerValues::None,
                page_size: Some(options.page_size),
                tracing: false,
                ..self.parameters(paging_state.as_deref())
            };
            let result = self.session.execute(&prepared, &parameters)?;
            let ResultMessage::Rows(rows) = result.outcome else { break };
            target.write_rows(self, &rows, &mut progress)?;
            paging_state = rows.paging_state;
            if paging_state.is_none() || self.interrupt.is_raised() {
                break;
            }
        }
        let files = target.close()?;
        if file.is_some() {
            let (rows, time) = (progress.rows, progress.finish());
            self.screen.print_message(&format!("{rows} rows exported to {files} files{time}."))?;
        }
        Ok(())
    }
}

fn select_statement(subject: &CopyTable, options: &CopyOptions) -> String {
    let mut text = format!(
        "SELECT {} FROM {}",
        CopyTable::column_list(&subject.columns),
        subject.qualified_name()
    );
    let token =
        format!("token({})", CopyTable::column_list(&subject.key_columns(&["partition_key"])));
    let mut conjunction = " WHERE";
    for (operator, bound) in [(">", options.tokens.0), ("<=", options.tokens.1)] {
        if let Some(bound) = bound {
            let bound = bound.to_string();
            text.extend([conjunction, " ", &token, " ", operator, " ", &bound]);
            conjunction = " AND";
        }
    }
    text
}

/// The output: standard output, a file, or numbered files of at most MAXOUTPUTSIZE rows.
struct ExportTarget<'a> {
    path: Option<&'a str>,
    subject: &'a CopyTable,
    options: &'a CopyOptions,
    file: Option<BufWriter<File>>,
    files: usize,
    rows: u64,
}

impl<'a> ExportTarget<'a> {
    fn new(path: Option<&'a str>, subject: &'a CopyTable, options: &'a CopyOptions) -> Self {
        Self { path, subject, options, file: None, files: 0, rows: 0 }
    }

    /// Opens the first file, or the next one.
    fn open(&mut self, shell: &mut Shell<'_>) -> Result<(), ShellError> {
        if let Some(path) = self.path {
            let path =
                if self.files == 0 { path.to_owned() } else { format!("{path}.{}", self.files) };
            let failed =
                |error| ShellError::Failed(format!("Can't open '{path}' for writing: {error}"));
            if let Some(mut full) = self.file.take() {
                full.flush()?;
            }
            self.file =
                Some(BufWriter::new(regular_file::create(Path::new(&path)).map_err(failed)?));
        }
        self.files += 1;
        self.rows = 0;
        if self.options.has_header && self.files == 1 {
            self.write_record(shell, &self.subject.columns)?;
        }
        Ok(())
    }

    fn write_record(&mut self, shell: &mut Shell<'_>, fields: &[String]) -> Result<(), ShellError> {
        let dialect = self.options.dialect;
        match &mut self.file {
            Some(file) => dialect.write(fields, file)?,
            None => dialect.write(fields, shell.screen.results())?,
        }
        Ok(())
    }

    fn write_rows(
        &mut self,
        shell: &mut Shell<'_>,
        rows: &ResultSet,
        progress: &mut CopyProgress,
    ) -> Result<(), ShellError> {
        let format = &self.options.format;
        for row in rows.iter() {
            if self.path.is_some() && self.options.rows_per_file == Some(self.rows) {
                self.open(shell)?;
            }
            let columns = rows.columns.iter().zip(row);
            let fields: Vec<String> =
                columns.map(|(column, value)| format.value(&column.ty, value).text).collect();
            self.write_record(shell, &fields)?;
            self.rows += 1;
            progress.add(1);
        }
        Ok(())
    }

    /// Flushes the last file; returns the number of files.
    fn close(mut self) -> Result<usize, ShellError> {
        if let Some(file) = &mut self.file {
            file.flush()?;
        }
        Ok(self.files)
    }
}
