//! Options of a table as they are written, and other options to be written there.

use cql::property::{Property, PropertyValue};
use cql::statement::table::TableChange;
use cql::term::{Term, TermKind};
use cql::{Span, StatementKind};

use super::{Project, TableFacts};
use crate::fix::{Edit, Fix, FixKind};
use crate::location::Location;

impl Project<'_> {
    /// An option in the statement that set it: the last ALTER TABLE that does, else the one that creates the table.
    pub fn table_option(&self, facts: &TableFacts, name: &str) -> Option<&Property> {
        self.option_in_force(facts, name).map(|(_, option)| option)
    }

    /// The same, with the text that it stands in.
    pub(super) fn option_in_force(
        &self,
        facts: &TableFacts,
        name: &str,
    ) -> Option<(usize, &Property)> {
        let find =
            |options: &'_ [Property]| options.iter().position(|known| &*known.name.text == name);
        for at in facts.alters.iter().rev() {
            let seen = self.statements.get(*at)?;
            if let Some(StatementKind::AlterTable(alter)) =
                self.syntax(seen).map(|known| &known.kind)
                && let TableChange::With(options) = &alter.change
                && let Some(position) = find(options)
            {
                return Some((seen.place.text, &options[position]));
            }
        }
        let options = &self.creation(facts)?.options.properties;
        Some((facts.place.text, &options[find(options)?]))
    }

    /// The entries of an option that is a map, as they are written; those that are no literals are left out.
    pub fn option_entries(&self, facts: &TableFacts, name: &str) -> Vec<(&str, &str)> {
        let Some(PropertyValue::Map(entries)) =
            self.table_option(facts, name).map(|option| &option.value)
        else {
            return Vec::new();
        };
        let known = entries.iter();
        known
            .filter_map(|(key, value)| Some((constant_text(key)?, constant_text(value)?)))
            .collect()
    }

    /// The change that sets an option, of the statement that set it or of CREATE TABLE; `None` where the table is not created by these texts.
    pub fn option_fix(
        &self,
        facts: &TableFacts,
        kind: FixKind,
        name: &str,
        value: &str,
    ) -> Option<Fix> {
        let create = self.creation(facts)?;
        let text = format!("{name} = {value}");
        let title = format!("set {text}");
        let place = |span| Location { text: facts.place.text, span };
        if let Some((at, written)) = self.option_in_force(facts, name) {
            let edits = vec![Edit { place: Location { text: at, span: written.span }, text }];
            return Some(Fix { title, kind, edits });
        }
        let options = &create.options;
        let has_options = !options.properties.is_empty()
            || !options.clustering_order.is_empty()
            || options.compact_storage.is_some();
        let word = if has_options { "AND" } else { "WITH" };
        let end = self.statements.get(facts.statement)?.place.span.end;
        let edits =
            vec![Edit { place: place(Span::new(end, end)), text: format!(" {word} {text}") }];
        Some(Fix { title, kind, edits })
    }

    /// The same of an entry of the option `compaction`: the others stay.
    pub fn compaction_fix(
        &self,
        facts: &TableFacts,
        kind: FixKind,
        entries: &[(&str, &str)],
    ) -> Option<Fix> {
        let mut all = self.option_entries(facts, "compaction");
        for (name, value) in entries {
            match all.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1 = value,
                None => all.push((name, value)),
            }
        }
        self.option_fix(facts, kind, "compaction", &render_map(&all))
    }
}

/// A map in CQL.
pub fn render_map(entries: &[(&str, &str)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(name, value)| format!("'{name}': '{value}'")).collect();
    format!("{{{}}}", entries.join(", "))
}

fn constant_text(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}
