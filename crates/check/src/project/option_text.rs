//! Options of a table as they are written.

use cql::StatementKind;
use cql::property::{Property, PropertyValue};
use cql::statement::table::TableChange;
use cql::term::{Term, TermKind};

use super::{Project, TableFacts};

impl Project<'_> {
    /// An option in the statement that set it: the last ALTER TABLE that does, else the one that creates the table.
    pub(crate) fn table_option(&self, facts: &TableFacts, name: &str) -> Option<&Property> {
        self.option_in_force(facts, name).map(|(_, option)| option)
    }

    /// The same, with the text that it stands in.
    pub(crate) fn option_in_force(
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
    pub(crate) fn option_entries(&self, facts: &TableFacts, name: &str) -> Vec<(&str, &str)> {
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
}

fn constant_text(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}
