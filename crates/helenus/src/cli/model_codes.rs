//! The codes of model files: messages (MF102) and mapping rules (MR3), from the tables of their
//! documentation and of the messages themselves.

use std::io::{self, Write};

use anstyle::Style;
use model::sql::REFUSALS;

use super::help::{MODEL_PAGE, find_section};

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
    advice: (&'static str, String),
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
                codes.push(ModelCode { code, says, advice: (label, advice.clone()) });
            }
        }
    }
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

/// Writes the page of a code: its row, and the messages that have it.
pub(super) fn write_page(code: &ModelCode, out: &mut dyn Write) -> io::Result<()> {
    let (label, advice) = &code.advice;
    writeln!(out, "{HEADING}{}{HEADING:#}", code.code)?;
    writeln!(out, "{}\n", code.says)?;
    writeln!(out, "{HEADING}{label}{HEADING:#}\n{advice}")?;
    let messages: Vec<_> = REFUSALS.iter().filter(|it| it.rule == code.code).collect();
    if !messages.is_empty() {
        writeln!(out, "\n{HEADING}messages{HEADING:#}")?;
    }
    for message in messages {
        writeln!(out, "- QUERY {}\n  help: {}", message.what, message.help)?;
    }
    let topic = if code.code.starts_with("MR") { "mapping rules" } else { "model files" };
    writeln!(out, "\n`helenus help model` has the rest about {topic}.")
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
