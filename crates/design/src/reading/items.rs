//! The list of what a statement selects, under names that no other column of a row has.

use std::collections::BTreeSet;

use cql::printer::identifier;
use model::plan::PlannedColumn;

/// What a statement selects.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    list: Vec<Item>,
    /// Names that are for something else: those of the outputs, and what other statements add to a row.
    taken: BTreeSet<String>,
}

/// One thing selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The column or the aggregate, in CQL.
    pub(super) expression: String,
    /// Its name in the result.
    pub(super) name: String,
}

impl Items {
    /// Nothing yet; these names are for something else.
    pub(super) fn new(taken: BTreeSet<String>) -> Self {
        Self { list: Vec::new(), taken }
    }

    /// Selects a column as an output.
    pub(super) fn output(&mut self, column: &PlannedColumn, output: &str) {
        self.computed(identifier(&column.name), output);
    }

    /// Selects something under a name that is for it.
    pub(super) fn computed(&mut self, expression: String, name: &str) {
        let item = Item { expression, name: name.to_owned() };
        if !self.list.contains(&item) {
            self.list.push(item);
        }
    }

    /// The name under which a column is selected; it is added where it is not.
    pub(super) fn select(&mut self, column: &PlannedColumn) -> String {
        self.select_beside(column, &BTreeSet::new())
    }

    /// The same, under a name that is none of these.
    pub(super) fn select_beside(
        &mut self,
        column: &PlannedColumn,
        names: &BTreeSet<String>,
    ) -> String {
        if let Some(name) = self.name_of(column) {
            return name;
        }
        let free = |name: &String| {
            !self.taken.contains(name)
                && !names.contains(name)
                && !self.list.iter().any(|item| item.name == *name)
        };
        let numbered = (2..).map(|number: u32| format!("{}_{number}", column.name));
        let name = std::iter::once(column.name.clone()).chain(numbered).find(free);
        let name = name.unwrap_or_else(|| column.name.clone());
        self.list.push(Item { expression: identifier(&column.name), name: name.clone() });
        name
    }

    /// Selects a column that nobody looks at, under a name that no other step gives to a row.
    pub(super) fn select_aside(&mut self, column: &PlannedColumn) {
        if self.name_of(column).is_none() {
            self.computed(identifier(&column.name), &format!("found_{}", column.name));
        }
    }

    /// The name under which a column is selected.
    pub(super) fn name_of(&self, column: &PlannedColumn) -> Option<String> {
        let expression = identifier(&column.name);
        let found = self.list.iter().find(|item| item.expression == expression)?;
        Some(found.name.clone())
    }

    /// What is selected, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Item> {
        self.list.iter()
    }

    /// Whether nothing is.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The list as it stands in the statement.
    pub(super) fn text(&self) -> String {
        let items = self.list.iter().map(|item| {
            let name = identifier(&item.name);
            if item.expression == name { name } else { format!("{} AS {name}", item.expression) }
        });
        items.collect::<Vec<_>>().join(", ")
    }
}
