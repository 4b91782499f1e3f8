//! The codes that are no rules of `check` and `doctor`: messages about model files (MF102), roles
//! (RO001) and named statements (CG001), and mapping rules (MR3), from their documentation.

use std::io::{self, Write};

use anstyle::Style;
use model::sql::REFUSALS;

use super::help::{MODEL_PAGE, find_section};
use crate::render::markdown;

/// The documentation of messages: a section for each, with its cause and examples.
const MESSAGES_PAGE: &str = include_str!("../../../../docs/MESSAGES.md");

const HEADING: Style = Style::new().bold();
/// The sections of the page with a table of codes, and what their last column is.
const SECTIONS: [(&str, &str); 3] =
    [("Mapping rules", "example"), ("Messages", "write instead"), ("Refused SQL", "write instead")];

/// A code with its row of the documentation.
pub(super) struct ModelCode {
    pub(super) code: String,
    /// What it says.
    pub(super) says: String,
    /// An example, or what to write instead, and which of both.
    advice: Option<(&'static str, String)>,
}

/// All codes, in the order of the documentation.
pub(super) fn list_codes() -> Vec<ModelCode> {
    let mut codes = Vec::new();
    for (heading, label) in SECTIONS {
        for line in find_section(MODEL_PAGE, heading).lines() {
            let cells = line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned());
            let cells: Vec<String> = cells.collect();
            if let [code, says, advice] = &cells[..]
                && is_code(code)
            {
                let (code, says) = (code.clone(), says.clone());
                codes.push(ModelCode { code, says, advice: Some((label, advice.clone())) });
            }
        }
    }
    let titles = MESSAGES_PAGE.lines().filter_map(|line| line.strip_prefix("## "));
    let others: Vec<&str> = titles.filter(|it| codes.iter().all(|code| code.code != *it)).collect();
    codes.extend(others.into_iter().map(|code| {
        let section = find_section(MESSAGES_PAGE, code);
        let says = section.lines().skip(2).take_while(|line| !line.is_empty());
        let says = says.collect::<Vec<_>>().join(" ");
        ModelCode { code: code.to_owned(), says, advice: None }
    }));
    codes
}

/// Whether the first cell of a row is a code: `MF102`, `MR3`.
fn is_code(cell: &str) -> bool {
    let (letters, digits) = cell.split_at_checked(2).unwrap_or_default();
    matches!(letters, "MF" | "MR")
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The code of that name.
pub(super) fn find_code(code: &str) -> Option<ModelCode> {
    list_codes().into_iter().find(|known| known.code == code)
}

/// Writes the page of a code: what it says, its cause, an example, and what to write instead.
pub(super) fn write_page(code: &ModelCode, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}", code.code)?;
    let section = find_section(MESSAGES_PAGE, &code.code);
    let (cause, examples) = section.split_once("\n```").unwrap_or((&section, ""));
    let cause = cause.lines().skip(2).collect::<Vec<_>>().join("\n");
    let mut page = String::new();
    if code.advice.is_some() {
        page = format!("{}\n", code.says);
    }
    if !cause.is_empty() {
        page = [&page, "\n", cause.trim(), "\n"].concat();
    }
    let mut blocks = examples.split("```").filter(|block| !block.trim().is_empty());
    let block = |block: &str| {
        let (_, text) = block.split_once('\n').unwrap_or_default();
        format!("\n```\n{}\n```\n", text.trim_end())
    };
    if let Some(found) = blocks.next() {
        page = [&page, "\n# example", &block(found)].concat();
    }
    if let Some((label, advice)) = &code.advice {
        page = [&page, "\n# ", label, "\n\n", advice, "\n"].concat();
    } else {
        page.push_str("\n# write instead\n");
    }
    page.extend(blocks.next().map(block));
    markdown::write(page.trim_start(), out)?;
    let messages: Vec<_> = REFUSALS.iter().filter(|it| it.rule == code.code).collect();
    if !messages.is_empty() {
        writeln!(out, "\n{HEADING}messages{HEADING:#}")?;
    }
    for message in messages {
        writeln!(out, "- QUERY {}\n  help: {}", message.what, message.help)?;
    }
    let topic = if code.code.starts_with("MR") { "mapping rules" } else { "model files" };
    if code.code.starts_with('M') {
        writeln!(out, "\n`helenus help model` has the rest about {topic}.")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_from_the_documentation() {
        let rule = find_code("MR3").expect("it is documented");
        assert!(rule.says.contains("range"), "{}", rule.says);
        let codes = list_codes();
        assert!(codes.len() > 90, "{}", codes.len());
        assert!(REFUSALS.iter().all(|it| codes.iter().any(|code| code.code == it.rule)));
        let mut page = Vec::new();
        write_page(&find_code("MF310").expect("it is documented"), &mut page).expect("written");
        let page = String::from_utf8(page).expect("text");
        assert!(page.contains("uses OFFSET, which reads every row that it skips"), "{page}");
    }
}
