//! A disagreement as its smallest example.

use sim::Disagreement;

use crate::proof::CodeLanguage;

/// The number of rows shown of a result.
const ROWS_SHOWN: usize = 20;

/// A disagreement in one clause; `code` is the language of the code that ran the statements.
pub(super) fn disagreement_summary(wrong: &Disagreement, code: Option<CodeLanguage>) -> String {
    match (&wrong.refused, &wrong.table) {
        (Some(_), _) if wrong.name.is_empty() => {
            "the server rejects a row of the initial data".to_owned()
        }
        (Some(_), _) => match code {
            Some(language) => format!("{} fails in the generated {language} code", wrong.name),
            None => format!("{} is rejected by the server", wrong.name),
        },
        (None, Some(table)) => {
            format!("after {}, the content of {table} is wrong", wrong.name)
        }
        (None, None) => format!("{} returns a different result than SQL", wrong.name),
    }
}

/// A disagreement: the facts, the statements in SQL and CQL, the expected and the actual result.
pub(super) fn disagreement_lines(wrong: &Disagreement, code: Option<CodeLanguage>) -> Vec<String> {
    let summary = disagreement_summary(wrong, code);
    let mut lines = vec![format!("{summary}; smallest example found:")];
    let mut block = |title: &str, texts: &[String]| {
        if !texts.is_empty() {
            lines.push(String::new());
            lines.push(title.to_owned());
            lines
                .extend(texts.iter().flat_map(|text| text.lines()).map(|line| format!("  {line}")));
        }
    };
    block("facts", &wrong.facts);
    block("SQL", std::slice::from_ref(&wrong.sql));
    block("CQL", &wrong.cql);
    if let Some(message) = &wrong.refused {
        block(if code.is_some() { "error" } else { "server error" }, std::slice::from_ref(message));
        return lines;
    }
    block("expected (SQLite)", &table(&wrong.columns, &wrong.expected));
    let origin = wrong.table.as_deref().unwrap_or("designed tables");
    block(&format!("actual ({origin})"), &table(&wrong.columns, &wrong.got));
    lines
}

/// A result as a text table.
fn table(columns: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
    let width = |at: usize| {
        let cells = rows.iter().map(|row| cell(row, at)).chain([cell(columns, at)]);
        cells.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns.len()).map(width).collect();
    let line = |row: &[String]| {
        let cells: Vec<_> = widths
            .iter()
            .enumerate()
            .map(|(at, width)| format!("{:<width$}", cell(row, at)))
            .collect();
        cells.join(" | ").trim_end().to_owned()
    };
    let mut lines = vec![line(columns)];
    lines.push(widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("-+-"));
    lines.extend(rows.iter().take(ROWS_SHOWN).map(|row| line(row)));
    match rows.len() {
        0 => lines.push("(no rows)".to_owned()),
        total if total > ROWS_SHOWN => lines.push(format!("({} more rows)", total - ROWS_SHOWN)),
        _ => {}
    }
    lines
}
