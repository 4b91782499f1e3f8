//! Writes a starting model, and remembers where its parts are.

use std::collections::HashMap;
use std::ops::Range;

use super::dump_schema::{DumpItem, DumpSchema, DumpStatement, DumpTable, ItemKind, QualifiedName};
use crate::sql_name::{comment_text, quote};

/// A part of a model that its reader may refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelPart {
    /// A statement about types.
    Type(usize),
    /// A table.
    Table(usize),
    /// A column or constraint of a table.
    Item(usize, usize),
    /// A change of a table.
    Change(usize, usize),
    /// Another statement.
    Rest(usize),
    /// A query.
    Query(usize),
}

/// The text of a model with the places of its parts.
#[derive(Debug, Default)]
pub(super) struct ModelText {
    /// The text.
    pub text: String,
    /// The places, those of items behind that of their table.
    pub places: Vec<(Range<usize>, ModelPart)>,
}

impl ModelText {
    /// Writes a model below its head.
    pub(super) fn new(head: &str, schema: &DumpSchema) -> Self {
        let mut model = Self { text: head.to_owned(), places: Vec::new() };
        if !schema.notes.is_empty() {
            model.text.push_str("\n-- Left out of the dump:\n");
            for note in &schema.notes {
                model.push_line(&format!("--   {}", comment_text(note)));
            }
        }
        for (at, statement) in schema.types.iter().enumerate() {
            model.write_statement(statement, ModelPart::Type(at));
        }
        let order = order_tables(&schema.tables);
        let mut positions = vec![0; order.len()];
        order.iter().enumerate().for_each(|(position, at)| positions[*at] = position);
        let layout = TableLayout::new(schema, positions);
        for at in &order {
            model.write_table(&layout, *at);
        }
        for at in &order {
            model.write_late_references(&layout, *at);
        }
        for (at, statement) in schema.rest.iter().enumerate() {
            model.write_statement(statement, ModelPart::Rest(at));
        }
        for (at, statement) in schema.queries.iter().enumerate() {
            model.write_statement(statement, ModelPart::Query(at));
        }
        model
    }

    fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn place(&mut self, start: usize, part: ModelPart) {
        self.places.push((start..self.text.len(), part));
    }

    fn write_statement(&mut self, statement: &DumpStatement, part: ModelPart) {
        self.push_line("");
        if let Some(refusal) = &statement.refusal {
            return self.write_refused(&statement.text, refusal, "");
        }
        let start = self.text.len();
        statement.above.iter().for_each(|line| self.push_line(line));
        self.write_figures(&statement.figures);
        self.push_line(&format!("{};", statement.text));
        self.place(start, part);
    }

    fn write_figures(&mut self, figures: &[String]) {
        if !figures.is_empty() {
            self.push_line(&format!("-- assumed: {}", figures.join("  ")));
        }
    }

    /// What the reader of models refuses, as a comment.
    fn write_refused(&mut self, text: &str, refusal: &str, margin: &str) {
        self.push_line(&format!("{margin}-- left out: {}", comment_text(refusal)));
        for line in text.lines() {
            let line = line.trim_end().replace('@', "(at)");
            self.push_line(&format!("{margin}--   {line}"));
        }
    }

    fn write_table(&mut self, layout: &TableLayout<'_>, at: usize) {
        let table = &layout.schema.tables[at];
        self.push_line("");
        table.above.iter().for_each(|line| self.push_line(line));
        let body = table.whole.clone().unwrap_or_else(|| table_text(table));
        if let Some(refusal) = &table.refusal {
            return self.write_refused(&body, refusal, "");
        }
        self.write_figures(&table.figures);
        let start = self.text.len();
        if table.whole.is_some() {
            self.push_line(&format!("{body};"));
            return self.place(start, ModelPart::Table(at));
        }
        // The place of the table comes before those of its items.
        let own = self.places.len();
        self.places.push((start..start, ModelPart::Table(at)));
        self.push_line(&format!("CREATE TABLE {} (", quote(&table.title)));
        let is_written = |item: &&DumpItem| item.refusal.is_none() && !layout.is_late(at, item);
        let last = table.items.iter().filter(is_written).count();
        let mut written = 0;
        for (position, item) in table.items.iter().enumerate() {
            if let Some(refusal) = &item.refusal {
                self.write_refused(&item.text, refusal, "  ");
            } else if is_written(&item) {
                written += 1;
                let comma = if written < last { "," } else { "" };
                self.write_item(item, comma, ModelPart::Item(at, position));
            }
        }
        self.push_line(");");
        let end = self.text.len();
        if let Some(place) = self.places.get_mut(own) {
            place.0.end = end;
        }
        for (position, change) in table.changes.iter().enumerate() {
            self.write_change(change, ModelPart::Change(at, position));
        }
    }

    fn write_item(&mut self, item: &DumpItem, comma: &str, part: ModelPart) {
        if let Some(note) = &item.note {
            self.push_line(&format!("  -- {}", comment_text(note)));
        }
        let start = self.text.len();
        self.text.push_str("  ");
        self.text.push_str(&item.text);
        self.place(start, part);
        self.push_line(&format!("{comma}{}", item.comment()));
    }

    fn write_change(&mut self, change: &DumpStatement, part: ModelPart) {
        if let Some(refusal) = &change.refusal {
            return self.write_refused(&change.text, refusal, "");
        }
        let start = self.text.len();
        self.push_line(&format!("{};", change.text));
        self.place(start, part);
    }

    /// The references to tables that are created further down.
    fn write_late_references(&mut self, layout: &TableLayout<'_>, at: usize) {
        let table = &layout.schema.tables[at];
        if table.refusal.is_some() {
            return;
        }
        for (position, item) in table.items.iter().enumerate() {
            if item.refusal.is_some() || !layout.is_late(at, item) {
                continue;
            }
            self.push_line("");
            let start = self.text.len();
            self.push_line(&format!("ALTER TABLE {}", quote(&table.title)));
            self.text.push_str("  ADD ");
            self.text.push_str(&item.text);
            self.text.push(';');
            self.place(start, ModelPart::Item(at, position));
            self.push_line(&item.comment());
        }
    }
}

/// The order in which the tables of a schema are written.
struct TableLayout<'a> {
    schema: &'a DumpSchema,
    /// The position of each table in the model.
    positions: Vec<usize>,
    names: HashMap<&'a QualifiedName, usize>,
}

impl<'a> TableLayout<'a> {
    fn new(schema: &'a DumpSchema, positions: Vec<usize>) -> Self {
        let names = schema.tables.iter().enumerate().map(|(at, table)| (&table.name, at));
        Self { schema, positions, names: names.collect() }
    }

    /// Whether an item refers to a table that is created later.
    fn is_late(&self, at: usize, item: &DumpItem) -> bool {
        let ItemKind::Reference { target, .. } = &item.kind else { return false };
        let target = self.names.get(target).and_then(|target| self.positions.get(*target));
        target.is_some_and(|target| self.positions.get(at).is_some_and(|own| own < target))
    }
}

/// The tables, each behind those that it refers to where that is possible.
fn order_tables(tables: &[DumpTable]) -> Vec<usize> {
    let names: HashMap<&QualifiedName, usize> =
        tables.iter().enumerate().map(|(at, table)| (&table.name, at)).collect();
    let targets = |at: usize| -> Vec<usize> {
        let targets = tables[at].items.iter().filter_map(|item| match &item.kind {
            ItemKind::Reference { target, .. } => names.get(target).copied(),
            _ => None,
        });
        targets.collect()
    };
    let (mut order, mut is_seen) = (Vec::new(), vec![false; tables.len()]);
    for first in 0..tables.len() {
        // Each entry is a table with the targets that are not visited yet; a list of its own, since
        // references may be nested deeply.
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        if !std::mem::replace(&mut is_seen[first], true) {
            path.push((first, targets(first)));
        }
        while let Some((at, waiting)) = path.last_mut() {
            match waiting.pop() {
                Some(next) if !is_seen[next] => {
                    is_seen[next] = true;
                    path.push((next, targets(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    order
}

/// A table on one line for each item.
fn table_text(table: &DumpTable) -> String {
    let items: Vec<String> = table.items.iter().map(|item| format!("  {}", item.text)).collect();
    format!("CREATE TABLE {} (\n{}\n)", quote(&table.title), items.join(",\n"))
}
