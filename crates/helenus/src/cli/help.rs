//! `helenus help`: the help of a command, or a topic of the documentation.

use std::io::Write;

use clap::CommandFactory;

use super::Arguments;
use crate::outcome::{Failure, Outcome};
use crate::render::markdown;

/// The documentation of model files.
pub(super) const MODEL_PAGE: &str = include_str!("../../../../docs/MODEL.md");

/// The way from a dump to a design.
const TUTORIAL_PAGE: &str = include_str!("../../../../docs/TUTORIAL.md");

/// Print the help of a command, the documentation of model files or their directives, or the tutorial
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  helenus help design\n  helenus help tutorial\n  helenus help model\n  helenus help directives"
)]
pub(crate) struct HelpArguments {
    /// A command, `tutorial`, `model` or `directives`
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

impl HelpArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let mut command = Arguments::command();
        // Subcommands have their full names only once the command is built.
        command.build();
        match self.topic.as_deref() {
            None => writeln!(out, "{}", command.render_long_help().ansi())?,
            Some("tutorial") => markdown::write(TUTORIAL_PAGE, out)?,
            Some("model") => markdown::write(MODEL_PAGE, out)?,
            Some("directives") => {
                markdown::write(&find_section(MODEL_PAGE, "Directives"), out)?;
            }
            Some(name) => match command.find_subcommand_mut(name) {
                Some(command) => writeln!(out, "{}", command.render_long_help().ansi())?,
                None => return Err(unknown_topic(&command, name)),
            },
        }
        Ok(Outcome::Fine)
    }
}

/// The error for an unknown topic, with a similar one.
fn unknown_topic(command: &clap::Command, name: &str) -> Failure {
    let commands = command.get_subcommands().map(clap::Command::get_name);
    let nearest =
        cql::spelling::find_nearest(name, commands.chain(["tutorial", "model", "directives"]));
    let hint = cql::spelling::hint(nearest);
    Failure::Stopped(Outcome::BadInput, format!("unknown topic {name}{hint}"))
}

/// A section of a page, from its heading to the next one.
pub(super) fn find_section(page: &str, heading: &str) -> String {
    let title = |line: &str| line.strip_prefix("## ").map(str::to_owned);
    let mut section = String::new();
    for line in page.lines().skip_while(|line| title(line).as_deref() != Some(heading)) {
        if !section.is_empty() && title(line).is_some() {
            break;
        }
        section.push_str(line);
        section.push('\n');
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_before_the_next_heading() {
        let page = "# A\n\n## B\n\nb\n\n## C\n\nc\n";
        assert_eq!(find_section(page, "B"), "## B\n\nb\n\n");
        assert_eq!(find_section(page, "C"), "## C\n\nc\n");
        assert_eq!(find_section(page, "D"), "");
        assert!(!find_section(MODEL_PAGE, "Directives").is_empty());
    }
}
