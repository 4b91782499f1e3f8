//! The commands of the shell, as cqlsh has them.

use cql::{Consistency, TraceId};

use super::command_names::COMMANDS;
use super::words::{Word, words};
use super::{PAGE_SIZE, Shell, Stop, help};

type Done = Result<(), Stop>;

impl Shell<'_> {
    /// Runs a command of the shell, if the word is one.
    pub(crate) fn command(&mut self, word: &str, rest: &str) -> Option<Done> {
        COMMANDS.contains(&word).then(|| match words(rest) {
            Some(arguments) => self.run_command(word, &arguments),
            None => Err(improper(word)),
        })
    }

    fn run_command(&mut self, word: &str, arguments: &[Word]) -> Done {
        match word {
            "HELP" | "?" => self.help(arguments),
            "CONSISTENCY" => self.consistency(arguments),
            "SERIAL" => self.serial_consistency(arguments),
            "SHOW" => self.show(arguments),
            "SOURCE" => match arguments {
                [Word::Text(path)] => self.source(&expanded(path)),
                _ => Err(improper(word)),
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
            "LOGIN" => Err(Stop::Failed(
                "LOGIN is for servers that ask who you are; this shell has the data to itself."
                    .to_owned(),
            )),
            _ => Err(improper(word)),
        }
    }

    fn help(&mut self, topics: &[Word]) -> Done {
        if topics.is_empty() {
            return Ok(self.screen.say(help::OVERVIEW.trim_end())?);
        }
        for topic in topics {
            let Word::Bare(topic) = topic else { return Err(improper("HELP")) };
            match help::topic(topic) {
                Some(text) => self.screen.say(text)?,
                None => return Err(Stop::Failed(format!("*** No help on {topic}"))),
            }
        }
        Ok(())
    }

    fn consistency(&mut self, arguments: &[Word]) -> Done {
        match arguments {
            [] => {
                let level = self.settings.consistency;
                Ok(self.screen.say(&format!("Current consistency level is {level}."))?)
            }
            [level] => {
                let mut levels = Consistency::ALL_LEVELS.into_iter();
                let known = levels.find(|known| level.is(known.name()));
                let level = known.ok_or_else(|| improper("CONSISTENCY"))?;
                self.settings.consistency = level;
                Ok(self.screen.say(&format!("Consistency level set to {level}."))?)
            }
            _ => Err(improper("CONSISTENCY")),
        }
    }

    fn serial_consistency(&mut self, arguments: &[Word]) -> Done {
        match arguments {
            [word] if word.is("CONSISTENCY") => {
                let level = self.settings.serial_consistency;
                Ok(self.screen.say(&format!("Current serial consistency level is {level}."))?)
            }
            [word, level] if word.is("CONSISTENCY") => {
                let mut levels = Consistency::ALL_LEVELS.into_iter();
                let known = levels.find(|known| known.is_serial() && level.is(known.name()));
                let level = known.ok_or_else(|| improper("SERIAL"))?;
                self.settings.serial_consistency = level;
                Ok(self.screen.say(&format!("Serial consistency level set to {level}."))?)
            }
            _ => Err(improper("SERIAL")),
        }
    }

    fn show(&mut self, arguments: &[Word]) -> Done {
        match arguments {
            [what] if what.is("VERSION") => {
                let [server, language] =
                    self.ask("SELECT release_version, cql_version FROM system.local");
                let version = env!("CARGO_PKG_VERSION");
                let line =
                    format!("[helenus {version} | Cassandra {server} | CQL spec {language}]");
                Ok(self.screen.say(&line)?)
            }
            [what] if what.is("HOST") => {
                let [cluster, _] = self.ask("SELECT cluster_name, key FROM system.local");
                let line = format!("Connected to {cluster}, {}", self.place);
                Ok(self.screen.say(&line)?)
            }
            [what, Word::Bare(id)] if what.is("SESSION") => {
                match cql::value::Uuid::parse(&id.to_lowercase()) {
                    Some(id) => self.print_trace(TraceId(id.0)),
                    None => Err(improper("SHOW")),
                }
            }
            [what, ..] if what.is("REPLICAS") => Ok(self.screen.say("['127.0.0.1']")?),
            _ => Err(improper("SHOW")),
        }
    }

    /// The first two values of a statement's first row.
    fn ask(&mut self, text: &str) -> [String; 2] {
        let row = super::columns::ask(&mut self.session, text).pop().unwrap_or_default();
        let mut values = row.into_iter();
        [values.next().unwrap_or_default(), values.next().unwrap_or_default()]
    }

    fn capture(&mut self, arguments: &[Word]) -> Done {
        let current = self.screen.captured_to().map(str::to_owned);
        match (arguments, current) {
            ([], Some(path)) => {
                Ok(self.screen.say(&format!("Currently capturing query output to '{path}'."))?)
            }
            ([], None) => Ok(self.screen.say("Currently not capturing query output.")?),
            ([word], Some(_)) if word.is("OFF") => Ok(self.screen.end_capture()?),
            ([word], None) if word.is("OFF") => {
                Err(Stop::Failed("Not currently capturing output.".to_owned()))
            }
            ([Word::Text(_)], Some(path)) => Err(Stop::Failed(format!(
                "Already capturing output to {path}. Use CAPTURE OFF to disable."
            ))),
            ([Word::Text(path)], None) => {
                let path = expanded(path);
                let failed = |error: std::io::Error| {
                    Stop::Failed(format!("Could not open '{path}' for append: {error}"))
                };
                self.screen.capture(&path).map_err(failed)?;
                Ok(self.screen.say(&format!("Now capturing query output to '{path}'."))?)
            }
            _ => Err(improper("CAPTURE")),
        }
    }

    fn paging(&mut self, arguments: &[Word]) -> Done {
        if let [Word::Bare(size)] = arguments
            && size.bytes().all(|byte| byte.is_ascii_digit())
        {
            let size: i32 = size.parse().map_err(|_| improper("PAGING"))?;
            self.settings.page_size = Some(size.max(1));
        } else {
            let is_on = self.switch("PAGING", self.settings.page_size.is_some(), arguments)?;
            let size = self.settings.page_size.unwrap_or(PAGE_SIZE);
            self.settings.page_size = is_on.then_some(size);
        }
        if let Some(size) = self.settings.page_size {
            self.screen.say(&format!("Page size: {size}"))?;
        }
        Ok(())
    }

    /// What a switch is set to.
    fn switch(&mut self, name: &str, is_on: bool, arguments: &[Word]) -> Result<bool, Stop> {
        let state = |on: bool| if on { "ON" } else { "OFF" };
        let wanted = match arguments {
            [] => {
                self.screen.say(&format!("{name} is {}", state(is_on)))?;
                return Ok(is_on);
            }
            [word] if word.is("ON") => true,
            [word] if word.is("OFF") => false,
            _ => return Err(improper(name)),
        };
        let verb = if wanted == is_on { "is already" } else { "set to" };
        self.screen.say(&format!("{name} {verb} {}", state(wanted)))?;
        Ok(wanted)
    }

    fn history(&mut self, arguments: &[Word]) -> Done {
        let most = match arguments {
            [] => 50,
            [Word::Bare(count)] => count.parse().map_err(|_| improper("HISTORY"))?,
            _ => return Err(improper("HISTORY")),
        };
        let skipped = self.entered.len().saturating_sub(most);
        let lines: Vec<String> = self.entered.iter().skip(skipped).cloned().collect();
        Ok(lines.iter().try_for_each(|line| self.screen.say(line))?)
    }
}

/// The refusal of a command that is written wrong.
pub(crate) fn improper(word: &str) -> Stop {
    Stop::Failed(format!("Improper {word} command."))
}

/// A path whose `~` stands for the user's folder.
pub(crate) fn expanded(path: &str) -> String {
    match (path.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) => format!("{home}/{rest}"),
        _ => path.to_owned(),
    }
}
