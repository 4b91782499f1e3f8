//! The prompt: reads lines until they form complete statements, and runs them.

use std::borrow::Cow;
use std::io;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{History, MemHistory};
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Editor, Helper};

use super::Shell;
use super::completion::PromptCompleter;
use super::history;
use super::script::split_script;

/// Waits for Return; false for Ctrl-C or Ctrl-D.
pub(crate) fn wait_for_return(prompt: &str) -> bool {
    let editor = Editor::<(), MemHistory>::with_history(Config::default(), MemHistory::new());
    editor.is_ok_and(|mut editor| editor.readline(prompt).is_ok())
}

/// Asks for a password, which is not shown; `None` for Ctrl-C or Ctrl-D.
pub fn ask_secretly(prompt: &str) -> Option<String> {
    let editor = Editor::<HiddenInput, MemHistory>::with_history(
        Config::builder().auto_add_history(false).build(),
        MemHistory::new(),
    );
    let mut editor = editor.ok()?;
    editor.set_helper(Some(HiddenInput));
    editor.readline(prompt).ok()
}

/// Shows nothing of what is typed.
struct HiddenInput;

impl Helper for HiddenInput {}
impl Completer for HiddenInput {
    type Candidate = String;
}
impl Hinter for HiddenInput {
    type Hint = String;
}
impl Validator for HiddenInput {}
impl Highlighter for HiddenInput {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Owned(" ".repeat(line.chars().count()))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}

impl Shell<'_> {
    /// Reads statements and runs them, until EXIT or Ctrl-D.
    pub fn run_prompt(&mut self) -> io::Result<()> {
        let config =
            Config::builder().auto_add_history(false).completion_type(CompletionType::List).build();
        let editor = Editor::with_history(config, MemHistory::new());
        let mut editor: Editor<PromptCompleter, MemHistory> = editor.map_err(io::Error::other)?;
        editor.set_helper(Some(PromptCompleter::new(self.session.duplicate())));
        for entry in history::load() {
            editor.history_mut().add(&entry).map_err(io::Error::other)?;
            self.entered.push(entry);
        }
        let mut text = String::new();
        while !self.is_finished {
            self.screen.flush()?;
            if let Some(completer) = editor.helper_mut() {
                completer.set_context(self.session.keyspace(), &text);
            }
            match editor.readline(&self.prompt(text.is_empty())) {
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Err(ReadlineError::Interrupted) => text.clear(),
                Err(ReadlineError::Eof) => {
                    self.screen.print_message("")?;
                    break;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
            if split_script(&text).all(|piece| piece.is_complete) {
                self.run_entry(text.trim(), &mut editor)?;
                text.clear();
            }
        }
        Ok(())
    }

    /// `helenus:keyspace> `, or `... ` of the same width for further lines.
    fn prompt(&self, is_first: bool) -> String {
        let prompt = match self.session.keyspace() {
            None => "helenus> ".to_owned(),
            Some(keyspace) => format!("helenus:{keyspace}> "),
        };
        if is_first {
            prompt
        } else {
            format!("{:>width$}", "... ", width = prompt.chars().count())
        }
    }

    fn run_entry(
        &mut self,
        text: &str,
        editor: &mut Editor<PromptCompleter, MemHistory>,
    ) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if history::can_be_kept(text) && self.entered.last().is_none_or(|last| last != text) {
            editor.history_mut().add(text).map_err(io::Error::other)?;
            history::append(text);
            self.entered.push(text.to_owned());
        }
        self.interrupt.lower();
        for piece in split_script(text) {
            let done = self.perform(piece.text);
            self.report(done, piece.text)?;
            if self.is_finished {
                break;
            }
        }
        Ok(())
    }
}
