//! Options of a table as they are written, and other options to be written there.

use cql::Span;
use cql::property::{Property, PropertyValue};
use cql::term::{Term, TermKind};

use super::{Project, TableFacts};
use crate::finding::{Edit, Fix, FixKind, Place};

impl Project<'_> {
    /// An option in the statement that creates a table.
    pub fn written_option(&self, facts: &TableFacts, name: &str) -> Option<&Property> {
        let options = self.creation(facts).map(|create| create.options.properties.iter());
        options.into_iter().flatten().find(|known| &*known.name.text == name)
    }

    /// The entries of an option that is a map, as they are written; those that are no literals are left out.
    pub fn written_map(&self, facts: &TableFacts, name: &str) -> Vec<(&str, &str)> {
        let Some(PropertyValue::Map(entries)) =
            self.written_option(facts, name).map(|option| &option.value)
        else {
            return Vec::new();
        };
        let known = entries.iter();
        known.filter_map(|(key, value)| Some((constant(key)?, constant(value)?))).collect()
    }

    /// The change of CREATE TABLE that sets an option; `None` where the table is not created by these texts.
    pub fn with_option(
        &self,
        facts: &TableFacts,
        kind: FixKind,
        name: &str,
        value: &str,
    ) -> Option<Fix> {
        let create = self.creation(facts)?;
        let text = format!("{name} = {value}");
        let title = format!("set {text}");
        let place = |span| Place { text: facts.place.text, span };
        if let Some(written) = self.written_option(facts, name) {
            let edits = vec![Edit { place: place(written.span), text }];
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
    pub fn with_compaction(
        &self,
        facts: &TableFacts,
        kind: FixKind,
        entries: &[(&str, &str)],
    ) -> Option<Fix> {
        let mut all = self.written_map(facts, "compaction");
        for (name, value) in entries {
            match all.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1 = value,
                None => all.push((name, value)),
            }
        }
        self.with_option(facts, kind, "compaction", &map(&all))
    }
}

/// A map in CQL.
pub fn map(entries: &[(&str, &str)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(name, value)| format!("'{name}': '{value}'")).collect();
    format!("{{{}}}", entries.join(", "))
}

fn constant(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}
