//! The output of the shell: results (which CAPTURE redirects), messages and errors.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::cell::{RED, RESET};

/// The output streams of a shell.
pub struct Screen<'a> {
    out: &'a mut dyn Write,
    errors: Box<dyn Write>,
    capture: Option<Capture>,
    color: bool,
    /// Whether output goes to a terminal: pages wait, and tables end with an empty line.
    pub(super) is_terminal: bool,
    /// Whether messages are suppressed, so that only results and errors are printed.
    pub(super) is_quiet: bool,
}

struct Capture {
    path: String,
    file: BufWriter<File>,
}

impl<'a> Screen<'a> {
    /// A screen with these streams; `color` applies to results.
    pub fn new(
        out: &'a mut dyn Write,
        errors: Box<dyn Write>,
        color: bool,
        is_terminal: bool,
    ) -> Self {
        Self { out, errors, capture: None, color, is_terminal, is_quiet: false }
    }

    /// Whether results are coloured.
    pub(crate) fn has_color(&self) -> bool {
        self.color && self.capture.is_none()
    }

    /// The stream for results.
    pub(crate) fn results(&mut self) -> &mut dyn Write {
        match &mut self.capture {
            Some(capture) => &mut capture.file,
            None => self.out,
        }
    }

    /// Prints a message of the shell.
    pub(crate) fn print_message(&mut self, line: &str) -> io::Result<()> {
        if self.is_quiet { Ok(()) } else { writeln!(self.out, "{line}") }
    }

    /// Prints an error.
    pub(crate) fn print_error(&mut self, text: &str) -> io::Result<()> {
        // Earlier output must appear before the error.
        self.out.flush()?;
        writeln!(self.errors, "{RED}{text}{RESET}")?;
        self.errors.flush()
    }

    /// Flushes the streams.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if let Some(capture) = &mut self.capture {
            capture.file.flush()?;
        }
        self.out.flush()
    }

    /// The file that results are redirected to.
    pub(crate) fn capture_path(&self) -> Option<&str> {
        self.capture.as_ref().map(|capture| &*capture.path)
    }

    /// Redirects results to a file.
    pub(crate) fn start_capture(&mut self, path: &str) -> io::Result<()> {
        let file = regular_file::append(Path::new(path))?;
        self.capture = Some(Capture { path: path.to_owned(), file: BufWriter::new(file) });
        Ok(())
    }

    /// Ends the redirection of results.
    pub(crate) fn end_capture(&mut self) -> io::Result<()> {
        match self.capture.take() {
            Some(mut capture) => capture.file.flush(),
            None => Ok(()),
        }
    }
}
