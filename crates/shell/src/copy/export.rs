//! COPY TO.

use std::fs::File;
use std::io::{BufWriter, Write};

use engine::{MarkerValues, Outcome, Parameters, Rows};

use super::super::{Shell, Stop};
use super::Subject;
use super::options::CopyOptions;
use super::progress::Progress;

impl Shell<'_> {
    pub(super) fn export(
        &mut self,
        subject: &Subject,
        file: Option<&str>,
        options: &CopyOptions,
    ) -> Result<(), Stop> {
        let text = statement(subject, options);
        let prepared = self.session.prepare(&text)?;
        if file.is_some() {
            self.announce(subject, &subject.columns)?;
        }
        let mut target = Target::new(file, subject, options);
        let mut progress = Progress::new();
        target.open(self)?;
        let mut paging_state: Option<Vec<u8>> = None;
        loop {
            let parameters = Parameters {
                values: MarkerValues::None,
                page_size: Some(options.page_size),
                tracing: false,
                ..self.parameters(paging_state.as_deref())
            };
            let answer = self.session.execute(&prepared, &parameters)?;
            let Outcome::Rows(rows) = answer.outcome else { break };
            target.write(self, &rows, &mut progress)?;
            paging_state = rows.paging_state;
            if paging_state.is_none() || self.interrupt.is_raised() {
                break;
            }
        }
        let files = target.close()?;
        if file.is_some() {
            let (rows, time) = (progress.rows(), progress.end());
            self.screen.say(&format!("{rows} rows exported to {files} files{time}."))?;
        }
        Ok(())
    }
}

fn statement(subject: &Subject, options: &CopyOptions) -> String {
    let mut text = format!("SELECT {} FROM {}", Subject::list(&subject.columns), subject.name());
    let token = format!("token({})", Subject::list(&subject.key(&["partition_key"])));
    let mut word = " WHERE";
    for (operator, bound) in [(">", options.tokens.0), ("<=", options.tokens.1)] {
        if let Some(bound) = bound {
            let bound = bound.to_string();
            text.extend([word, " ", &token, " ", operator, " ", &bound]);
            word = " AND";
        }
    }
    text
}

/// The file, or the files one after the other.
struct Target<'a> {
    path: Option<&'a str>,
    subject: &'a Subject,
    options: &'a CopyOptions,
    file: Option<BufWriter<File>>,
    files: usize,
    rows: u64,
}

impl<'a> Target<'a> {
    fn new(path: Option<&'a str>, subject: &'a Subject, options: &'a CopyOptions) -> Self {
        Self { path, subject, options, file: None, files: 0, rows: 0 }
    }

    /// Opens the first file, or the next one.
    fn open(&mut self, shell: &mut Shell<'_>) -> Result<(), Stop> {
        if let Some(path) = self.path {
            let path =
                if self.files == 0 { path.to_owned() } else { format!("{path}.{}", self.files) };
            let failed = |error| Stop::Failed(format!("Can't open '{path}' for writing: {error}"));
            if let Some(mut full) = self.file.take() {
                full.flush()?;
            }
            self.file = Some(BufWriter::new(File::create(&path).map_err(failed)?));
        }
        self.files += 1;
        self.rows = 0;
        if self.options.has_header && self.files == 1 {
            self.put(shell, &self.subject.columns)?;
        }
        Ok(())
    }

    fn put(&mut self, shell: &mut Shell<'_>, fields: &[String]) -> Result<(), Stop> {
        let dialect = self.options.dialect;
        match &mut self.file {
            Some(file) => dialect.write(fields, file)?,
            None => dialect.write(fields, shell.screen.results())?,
        }
        Ok(())
    }

    fn write(
        &mut self,
        shell: &mut Shell<'_>,
        rows: &Rows,
        progress: &mut Progress,
    ) -> Result<(), Stop> {
        let look = &self.options.look;
        for row in rows.iter() {
            if self.path.is_some() && self.options.rows_per_file == Some(self.rows) {
                self.open(shell)?;
            }
            let columns = rows.columns.iter().zip(row);
            let fields: Vec<String> =
                columns.map(|(column, value)| look.value(&column.ty, value).text).collect();
            self.put(shell, &fields)?;
            self.rows += 1;
            progress.add(1);
        }
        Ok(())
    }

    /// How many files there are.
    fn close(mut self) -> Result<usize, Stop> {
        if let Some(file) = &mut self.file {
            file.flush()?;
        }
        Ok(self.files)
    }
}
