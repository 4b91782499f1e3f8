//! Options of a table, written where they stand or where they belong.

use cql::Span;

use super::render::render_map;
use crate::{Edit, Fix, FixKind, Location, Project, TableFacts};

impl Project<'_> {
    /// The change that sets an option, of the statement that set it or of CREATE TABLE; `None` where the table is not created by these texts.
    pub(crate) fn option_fix(
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
    pub(crate) fn compaction_fix(
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
