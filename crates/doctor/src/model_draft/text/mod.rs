//! The text of the model file.

mod head;
mod table;

use std::fmt::Write;
use std::ops::Range;

use model::figures::format_rate;
use model::sql::Cardinality;
use schema::catalog::Keyspace;

use super::entity::Entity;
use super::open_point::OpenPoint;
use super::reference::Reference;
use super::statement::{DraftStatement, StatementList, UntranslatedStatement};
use super::volume::EntityVolume;
use crate::snapshot::Snapshot;
use model::sql_name::comment_text;

/// Statements that a statement was translated from are cut off after this many characters.
const SEEN_LENGTH_MAX: usize = 400;

/// What the file is written from, beside the statements.
pub(super) struct FileContent<'a, 'e> {
    /// The snapshot.
    pub(super) snapshot: &'e Snapshot,
    /// The keyspace.
    pub(super) keyspace: &'a Keyspace,
    /// Other keyspaces with tables.
    pub(super) other_keyspaces: Vec<String>,
    /// The tables.
    pub(super) entities: &'e [Entity<'a>],
    /// The references of the tables.
    pub(super) references: &'e [Reference],
    /// The volumes of the tables.
    pub(super) volumes: &'e [EntityVolume],
}

/// The file, and where its statements are.
pub(super) struct WrittenFile {
    /// The text.
    pub(super) text: String,
    /// The places of the statements, in their order.
    pub(super) places: Vec<Range<usize>>,
}

impl FileContent<'_, '_> {
    /// Writes the file.
    pub(super) fn write(&self, list: &StatementList) -> WrittenFile {
        let mut text = self.write_head(list);
        text.push_str(&self.write_types());
        for at in super::reference::order_entities(self.entities.len(), self.references) {
            text.push_str(&self.write_table(at, list));
        }
        let mut places = Vec::new();
        for statement in &list.statements {
            let start = text.len();
            write_statement(&mut text, statement);
            places.push(start..text.len());
        }
        write_untranslated(&mut text, &list.untranslated);
        WrittenFile { text, places }
    }
}

/// Writes a remark as a comment.
fn write_point(text: &mut String, indent: &str, point: &OpenPoint) {
    let _ =
        writeln!(text, "{indent}-- {}: {}", point.kind().name(), comment_text(&point.to_string()));
}

fn write_statement(text: &mut String, statement: &DraftStatement) {
    text.push('\n');
    for seen in &statement.seen {
        let _ = writeln!(text, "-- seen: {}", shorten(seen));
    }
    for point in statement.points.iter().chain([&statement.rate.point]) {
        write_point(text, "", point);
    }
    let cardinality = match statement.cardinality {
        Cardinality::One => ":one",
        Cardinality::Many => ":many",
        Cardinality::Exec => ":exec",
    };
    let _ = writeln!(text, "-- name: {} {cardinality}", statement.name);
    let rate = statement.rate.per_second.map(|rate| format!("@rate {}", format_rate(rate)));
    let directives: Vec<&str> =
        rate.iter().chain(&statement.directives).map(String::as_str).collect();
    if !directives.is_empty() {
        let _ = writeln!(text, "-- {}", directives.join("  "));
    }
    let _ = writeln!(text, "{};", statement.sql);
}

fn write_untranslated(text: &mut String, statements: &[UntranslatedStatement]) {
    if statements.is_empty() {
        return;
    }
    text.push_str("\n-- Statements that are not translated, each with the reason:\n");
    for statement in statements {
        let _ = writeln!(text, "--\n-- seen: {}", shorten(&statement.text));
        let reason = comment_text(&statement.reason.to_string());
        let _ = writeln!(text, "-- not translated: {reason}");
    }
}

/// A statement as a comment.
fn shorten(statement: &str) -> String {
    let text = comment_text(statement);
    match text.char_indices().nth(SEEN_LENGTH_MAX) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
