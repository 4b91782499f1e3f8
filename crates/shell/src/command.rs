//! The commands of the shell, with the behaviour and texts of cqlsh.

use cql::{Consistency, TraceId};

use super::command_names::COMMANDS;
use super::command_words::{CommandWord, split_words};
use super::{PAGE_SIZE, Shell, ShellError, help};

type CommandResult = Result<(), ShellError>;

impl Shell<'_> {
    /// Runs a command of the shell; `None` if the word is not one.
    pub(crate) fn command(&mut self, word: &str, rest: &str) -> Option<CommandResult> {
        COMMANDS.contains(&word).then(|| match split_words(rest) {
            Some(arguments) => self.run_command(word, &arguments),
            None => Err(improper_command(word)),
        })
    }

    fn run_command(&mut self, word: &str, arguments: &[CommandWord]) -> CommandResult {
        match word {
            "HELP" | "?" => self.help(arguments),
            "CONSISTENCY" => self.consistency(arguments),
            "SERIAL" => self.serial_consistency(arguments),
            "SHOW" => self.show(arguments),
            "SOURCE" => match arguments {
                [CommandWord::Text(path)] => self.run_file(&expand_home(path)),
                _ => Err(improper_command(word)),
            },
            "CAPTURE" => self.capture(arguments),
            "TRACING" => {
                let is_on = self.switch(word, self.settings.is_tracing, arguments)?;
                self.settings.is_tracing = is_on;
                Ok(())
            }
            "EXPAND" => {
                let is_on = self.switch(word, self.settings.is_expanded, arguments)?;
                self.settings.is_expanded = is_on;
                Ok(())
            }
            "PAGING" => self.paging(arguments),
            "COPY" => self.copy(arguments),
            "HISTORY" => self.history(arguments),
            "EXIT" | "QUIT" => {
                self.is_finished = true;
                Ok(())
            }
            "CLEAR" | "CLS" => Ok(write!(self.screen.results(), "\x1b[H\x1b[2J\x1b[3J")?),
            "LOGIN" => Err(ShellError::Failed(
                "LOGIN is not supported: the embedded engine runs without authentication."
                    .to_owned(),
            )),
            _ => Err(improper_command(word)),
        }
    }

    fn help(&mut self, topics: &[CommandWord]) -> CommandResult {
        if topics.is_empty() {
            return Ok(self.screen.print_message(help::OVERVIEW.trim_end())?);
        }
        for topic in topics {
            let CommandWord::Bare(topic) = topic else { return Err(improper_command("HELP")) };
            match help::topic(topic) {
                Some(text) => self.screen.print_message(text)?,
                None => return Err(ShellError::Failed(format!("*** No help on {topic}"))),
            }
        }
        Ok(())
    }

    fn consistency(&mut self, arguments: &[CommandWord]) -> CommandResult {
        match arguments {
            [] => {
                let level = self.settings.consistency;
                Ok(self.screen.print_message(&format!("Current consistency level is {level}."))?)
            }
            [level] => {
                let mut levels = Consistency::ALL.into_iter();
                let known = levels.find(|known| level.is_keyword(known.name()));
                let level = known.ok_or_else(|| improper_command("CONSISTENCY"))?;
                self.settings.consistency = level;
                Ok(self.screen.print_message(&format!("Consistency level set to {level}."))?)
            }
            _ => Err(improper_command("CONSISTENCY")),
        }
    }

    fn serial_consistency(&mut self, arguments: &[CommandWord]) -> CommandResult {
        match arguments {
            [word] if word.is_keyword("CONSISTENCY") => {
                let level = self.settings.serial_consistency;
                Ok(self
                    .screen
                    .print_message(&format!("Current serial consistency level is {level}."))?)
            }
            [word, level] if word.is_keyword("CONSISTENCY") => {
                let mut levels = Consistency::ALL.into_iter();
                let known =
                    levels.find(|known| known.is_serial() && level.is_keyword(known.name()));
                let level = known.ok_or_else(|| improper_command("SERIAL"))?;
                self.settings.serial_consistency = level;
                Ok(self
                    .screen
                    .print_message(&format!("Serial consistency level set to {level}."))?)
            }
            _ => Err(improper_command("SERIAL")),
        }
    }

    fn show(&mut self, arguments: &[CommandWord]) -> CommandResult {
        match arguments {
            [what] if what.is_keyword("VERSION") => {
                let [server, language] =
                    self.query_pair("SELECT release_version, cql_version FROM system.local");
                let version = env!("CARGO_PKG_VERSION");
                let line =
                    format!("[helenus {version} | Cassandra {server} | CQL spec {language}]");
                Ok(self.screen.print_message(&line)?)
            }
            [what] if what.is_keyword("HOST") => {
                let [cluster, _] = self.query_pair("SELECT cluster_name, key FROM system.local");
                let line = format!("Connected to {cluster}{}", self.location);
                Ok(self.screen.print_message(&line)?)
            }
            [what, CommandWord::Bare(id)] if what.is_keyword("SESSION") => {
                match cql::value::Uuid::parse(&id.to_lowercase()) {
                    Some(id) => self.print_trace(TraceId(id.0)),
                    None => Err(improper_command("SHOW")),
                }
            }
            [what, ..] if what.is_keyword("REPLICAS") => {
                Ok(self.screen.print_message("['127.0.0.1']")?)
            }
            _ => Err(improper_command("SHOW")),
        }
    }

    /// The first two values of a query's last row.
    fn query_pair(&mut self, text: &str) -> [String; 2] {
        let row = super::columns::query_texts(&mut *self.session, text).pop().unwrap_or_default();
        let mut values = row.into_iter();
        [values.next().unwrap_or_default(), values.next().unwrap_or_default()]
    }

    fn capture(&mut self, arguments: &[CommandWord]) -> CommandResult {
        let current = self.screen.capture_path().map(str::to_owned);
        match (arguments, current) {
            ([], Some(path)) => Ok(self
                .screen
                .print_message(&format!("Currently capturing query output to '{path}'."))?),
            ([], None) => Ok(self.screen.print_message("Currently not capturing query output.")?),
            ([word], Some(_)) if word.is_keyword("OFF") => Ok(self.screen.end_capture()?),
            ([word], None) if word.is_keyword("OFF") => {
                Err(ShellError::Failed("Not currently capturing output.".to_owned()))
            }
            ([CommandWord::Text(_)], Some(path)) => Err(ShellError::Failed(format!(
                "Already capturing output to {path}. Use CAPTURE OFF to disable."
            ))),
            ([CommandWord::Text(path)], None) => {
                let path = expand_home(path);
                let failed = |error: std::io::Error| {
                    ShellError::Failed(format!("Could not open '{path}' for append: {error}"))
                };
                self.screen.start_capture(&path).map_err(failed)?;
                Ok(self
                    .screen
                    .print_message(&format!("Now capturing query output to '{path}'."))?)
            }
            _ => Err(improper_command("CAPTURE")),
        }
    }

    fn paging(&mut self, arguments: &[CommandWord]) -> CommandResult {
        if let [CommandWord::Bare(size)] = arguments
            && size.bytes().all(|byte| byte.is_ascii_digit())
        {
            let size: i32 = size.parse().map_err(|_| improper_command("PAGING"))?;
            self.settings.page_size = Some(size.max(1));
        } else {
            let is_on = self.switch("PAGING", self.settings.page_size.is_some(), arguments)?;
            let size = self.settings.page_size.unwrap_or(PAGE_SIZE);
            self.settings.page_size = is_on.then_some(size);
        }
        if let Some(size) = self.settings.page_size {
            self.screen.print_message(&format!("Page size: {size}"))?;
        }
        Ok(())
    }

    /// Shows a switch, or sets it to ON or OFF; returns its state.
    fn switch(
        &mut self,
        name: &str,
        is_on: bool,
        arguments: &[CommandWord],
    ) -> Result<bool, ShellError> {
        let state = |on: bool| if on { "ON" } else { "OFF" };
        let new_state = match arguments {
            [] => {
                self.screen.print_message(&format!("{name} is {}", state(is_on)))?;
                return Ok(is_on);
            }
            [word] if word.is_keyword("ON") => true,
            [word] if word.is_keyword("OFF") => false,
            _ => return Err(improper_command(name)),
        };
        let verb = if new_state == is_on { "is already" } else { "set to" };
        self.screen.print_message(&format!("{name} {verb} {}", state(new_state)))?;
        Ok(new_state)
    }

    fn history(&mut self, arguments: &[CommandWord]) -> CommandResult {
        let most = match arguments {
            [] => 50,
            [CommandWord::Bare(count)] => count.parse().map_err(|_| improper_command("HISTORY"))?,
            _ => return Err(improper_command("HISTORY")),
        };
        let skipped = self.entered.len().saturating_sub(most);
        let lines: Vec<String> = self.entered.iter().skip(skipped).cloned().collect();
        Ok(lines.iter().try_for_each(|line| self.screen.print_message(line))?)
    }
}

/// The error for a malformed command, in cqlsh's words.
pub(crate) fn improper_command(word: &str) -> ShellError {
    ShellError::Failed(format!("Improper {word} command."))
}

/// Expands `~/` to the user's home folder.
pub(crate) fn expand_home(path: &str) -> String {
    match (path.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) => format!("{home}/{rest}"),
        _ => path.to_owned(),
    }
}
