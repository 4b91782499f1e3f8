//! Where columns, keys and options of a table are written.

use cql::property::PropertyValue;
use cql::statement::select::Select;
use cql::statement::table::{ColumnDefinition, CreateTable, PrimaryKey, TableChange};
use cql::statement::view::CreateView;
use cql::term::TermKind;
use cql::{Span, StatementKind};

use super::{Project, ReplayedStatement, TableFacts, TextKind};
use crate::Location;

impl Project<'_> {
    /// The statement that creates a table.
    pub(crate) fn creation(&self, facts: &TableFacts) -> Option<&CreateTable> {
        let statement = self.syntax(self.statements.get(facts.statement)?)?;
        match &statement.kind {
            StatementKind::CreateTable(create) => Some(create),
            _ => None,
        }
    }

    /// The statement that creates a view.
    pub(crate) fn view_creation(&self, facts: &TableFacts) -> Option<&CreateView> {
        let statement = self.syntax(self.statements.get(facts.statement)?)?;
        match &statement.kind {
            StatementKind::CreateView(create) => Some(create),
            _ => None,
        }
    }

    /// The PRIMARY KEY clauses of a table or view.
    fn keys(&self, facts: &TableFacts) -> &[PrimaryKey] {
        match (self.creation(facts), self.view_creation(facts)) {
            (Some(create), _) => &create.primary_keys,
            (None, Some(create)) => std::slice::from_ref(&create.primary_key),
            (None, None) => &[],
        }
    }

    /// The syntax of a SELECT.
    pub(crate) fn select(&self, seen: &ReplayedStatement) -> Option<&Select> {
        match &self.syntax(seen)?.kind {
            StatementKind::Select(select) => Some(select),
            _ => None,
        }
    }

    /// Where a SELECT names its table; the statement if it is none.
    pub(crate) fn select_location(&self, seen: &ReplayedStatement) -> Location {
        let span = self.select(seen).map(|select| select.table.span());
        Location { text: seen.place.text, span: span.unwrap_or(seen.place.span) }
    }

    /// Whether a place is in a program.
    pub(crate) fn is_program(&self, place: Location) -> bool {
        self.texts.get(place.text).is_some_and(|text| text.kind == TextKind::Program)
    }

    /// The start of the first text whose findings are told.
    pub(crate) fn report_start(&self) -> Option<Location> {
        let text = self.texts.iter().position(|text| text.is_reported)?;
        Some(Location { text, span: Span::new(0, 0) })
    }

    /// The statement that holds a place.
    pub(crate) fn statement_at(&self, place: Location) -> Option<&ReplayedStatement> {
        let start = (place.text, place.span.start);
        let is_before =
            |seen: &ReplayedStatement| (seen.place.text, seen.place.span.start) <= start;
        let last = self.statements.partition_point(is_before).checked_sub(1)?;
        let seen = self.statements.get(last)?;
        let is_in = seen.place.text == place.text && place.span.start <= seen.place.span.end;
        is_in.then_some(seen)
    }

    /// Where a column is defined: its name in CREATE TABLE or in the ALTER TABLE that adds it; the table's name if it is in neither.
    pub(crate) fn column_location(&self, facts: &TableFacts, column: &str) -> Location {
        let found = self.column_definition(facts, column);
        found.map_or(facts.place, |(text, known)| Location { text, span: known.name.span })
    }

    /// Where the type of a column is written.
    pub(crate) fn type_location(&self, facts: &TableFacts, column: &str) -> Location {
        let found = self.column_definition(facts, column);
        found.map_or(facts.place, |(text, known)| Location { text, span: known.type_name.span })
    }

    /// The definition of a column, with the position of its text: in CREATE TABLE, or in the last ALTER TABLE that adds it.
    fn column_definition(
        &self,
        facts: &TableFacts,
        column: &str,
    ) -> Option<(usize, &ColumnDefinition)> {
        let find = |columns: &'_ [ColumnDefinition]| {
            columns.iter().position(|known| &*known.name.text == column)
        };
        let created = self.creation(facts).map_or(&[][..], |create| &create.columns);
        if let Some(at) = find(created) {
            return Some((facts.place.text, &created[at]));
        }
        facts.additions.iter().rev().find_map(|at| {
            let seen = self.statements.get(*at)?;
            let StatementKind::AlterTable(alter) = &self.syntax(seen)?.kind else { return None };
            let TableChange::Add { columns, .. } = &alter.change else { return None };
            Some((seen.place.text, &columns[find(columns)?]))
        })
    }

    /// Where a column stands in the primary key.
    pub(crate) fn key_location(&self, facts: &TableFacts, column: &str) -> Location {
        let keys = self.keys(facts).iter();
        let mut names = keys.flat_map(|key| key.partition.iter().chain(&key.clustering));
        let found = names.find(|name| &*name.text == column);
        match found {
            Some(name) => location_or_name(facts, Some(name.span)),
            None => self.column_location(facts, column),
        }
    }

    /// A place and the blanks before it, so that nothing is left of it when it goes.
    pub(crate) fn extend_over_blanks(&self, place: Location) -> Location {
        let text = self.texts.get(place.text).map_or("", |text| text.text);
        let before = text.get(..place.span.start as usize).unwrap_or_default();
        let kept = u32::try_from(before.trim_end().len()).unwrap_or(place.span.start);
        Location { text: place.text, span: Span::new(kept, place.span.end) }
    }

    /// Where an option is written: in the last ALTER TABLE that sets it, else in CREATE TABLE.
    pub(crate) fn option_location(&self, facts: &TableFacts, option: &str) -> Location {
        let found = self.option_in_force(facts, option);
        found.map_or(facts.place, |(text, known)| Location { text, span: known.span })
    }

    /// Where the value of an entry of an option is written, quotes included: `'64'` in `compression = {'chunk_length_in_kb': '64'}`.
    pub(crate) fn option_entry_location(
        &self,
        facts: &TableFacts,
        option: &str,
        entry: &str,
    ) -> Option<Location> {
        let (text, option) = self.option_in_force(facts, option)?;
        let PropertyValue::Map(map) = &option.value else { return None };
        let is_it =
            |kind: &TermKind| matches!(kind, TermKind::Constant(known) if &*known.text == entry);
        let (_, value) = map.iter().find(|(key, _)| is_it(&key.kind))?;
        Some(Location { text, span: value.span })
    }

    /// Whether a statement sets an option of a table.
    pub(crate) fn has_option(&self, facts: &TableFacts, option: &str) -> bool {
        self.option_in_force(facts, option).is_some()
    }
}

fn location_or_name(facts: &TableFacts, span: Option<Span>) -> Location {
    span.map_or(facts.place, |span| Location { text: facts.place.text, span })
}
