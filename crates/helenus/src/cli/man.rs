//! `helenus man`: manual pages in roff, generated from the command line's definition.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::Arguments;
use crate::outcome::{Failure, Outcome};
use crate::output_folder;

const EXAMPLES: &str = "\
Examples:
  helenus man > helenus.1                         # one page with all commands
  helenus man --dir ~/.local/share/man/man1       # one page per command: `man helenus-check`

Exit code: 0 success, 2 invalid usage, 3 a file cannot be written.";

/// Print the manual page, or write one page per command to a directory
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArguments {
    /// Write the pages helenus.1, helenus-check.1, ... to this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl ManArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        // Building the root first gives its commands their full names: `helenus check`.
        let mut root = Arguments::command().disable_help_subcommand(true);
        root.build();
        let Some(folder) = &self.dir else {
            out.write_all(&full_page(&root)?)?;
            return Ok(Outcome::Fine);
        };
        let mut pages = Vec::new();
        for command in std::iter::once(&root).chain(root.get_subcommands()) {
            let page = String::from_utf8_lossy(&command_page(command)?).into_owned();
            pages.push((Man::new(command.clone()).get_filename(), page));
        }
        let pages: Vec<_> =
            pages.iter().map(|(name, page)| (name.as_str(), page.clone())).collect();
        output_folder::write(folder, &pages)?;
        Ok(Outcome::Fine)
    }
}

/// The page of one command.
fn command_page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    write_title(command, &mut page)?;
    man.render_name_section(&mut page)?;
    render_body(&man, command, &mut page)?;
    Ok(page)
}

/// Writes the header and footer of a page: name, section, no date, program and manual. Not by
/// `Man`, which names the subcommand in the footer and leaves out the empty date, so that the next
/// argument takes its place.
fn write_title(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let version = env!("CARGO_PKG_VERSION");
    writeln!(page, r#".TH {name} 1 "" "helenus {version}" "Helenus Manual""#)
}

/// One page for the root, with a section per command.
fn full_page(root: &Command) -> io::Result<Vec<u8>> {
    let mut page = command_page(root)?;
    for command in root.get_subcommands() {
        let name = command.get_bin_name().unwrap_or(command.get_name()).to_uppercase();
        let mut heading = Roff::new();
        heading.control("SH", [name.as_str()]);
        heading.to_writer(&mut page)?;
        let mut body = Vec::new();
        render_body(&Man::new(command.clone()), command, &mut body)?;
        // The sections of a command become subsections.
        for line in String::from_utf8_lossy(&body).lines() {
            match line.strip_prefix(".SH") {
                Some(title) => writeln!(page, ".SS{title}")?,
                None => writeln!(page, "{line}")?,
            }
        }
    }
    Ok(page)
}

/// Synopsis, description, options, commands and examples.
fn render_body(man: &Man, command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    // Not by `Man`, which would fill the lines of the examples into paragraphs.
    if let Some(help) = command.get_after_help() {
        let help = help.to_string();
        let mut examples = Roff::new();
        examples.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in help.lines().skip_while(|line| *line == "Examples:") {
            examples.text([roman(line)]);
        }
        examples.control("fi", []);
        examples.to_writer(page)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_commands() {
        let mut page = Vec::new();
        let outcome = ManArguments { dir: None }.run(&mut page);
        assert_eq!(outcome.ok(), Some(Outcome::Fine));
        let page = String::from_utf8(page).unwrap();
        for heading in [".TH helenus 1 ", ".SH \"HELENUS CHECK\"", ".SS SYNOPSIS", ".SS EXAMPLES"] {
            assert!(page.contains(heading), "{heading}\n{page}");
        }
    }

    #[test]
    fn the_footer_names_the_program() {
        let mut root = Arguments::command();
        root.build();
        let command = root.find_subcommand("fmt").unwrap();
        let page = String::from_utf8(command_page(command).unwrap()).unwrap();
        let title = page.lines().find(|line| line.starts_with(".TH")).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!(".TH helenus-fmt 1 \"\" \"helenus {version}\" \"Helenus Manual\"");
        assert_eq!(title.trim_end(), expected);
    }
}
