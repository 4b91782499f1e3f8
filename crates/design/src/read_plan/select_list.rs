//! The select list of a statement, under names that no other column of a row has.

use std::collections::BTreeSet;

use model::plan::{PlannedColumn, SelectExpression, SelectItem};

/// A select list.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectList {
    list: Vec<SelectItem>,
    /// Reserved names: those of the outputs, and what other statements add to a row.
    taken: BTreeSet<String>,
}

impl SelectList {
    /// An empty list with these reserved names.
    pub(super) fn new(taken: BTreeSet<String>) -> Self {
        Self { list: Vec::new(), taken }
    }

    /// Selects a column as an output.
    pub(super) fn add_output(&mut self, column: &PlannedColumn, output: &str) {
        self.add_expression(SelectExpression::Column(column.name.clone()), output);
    }

    /// Selects an expression under its name.
    pub(super) fn add_expression(&mut self, expression: SelectExpression, name: &str) {
        let item = SelectItem { expression, name: name.to_owned() };
        if !self.list.contains(&item) {
            self.list.push(item);
        }
    }

    /// Selects an expression under this name, or with a number where another item has the name;
    /// its name.
    pub(super) fn add_beside(&mut self, expression: SelectExpression, name: &str) -> String {
        if let Some(known) = self.list.iter().find(|item| item.expression == expression) {
            return known.name.clone();
        }
        let is_free = |name: &String| {
            !self.taken.contains(name) && !self.list.iter().any(|item| item.name == *name)
        };
        let numbered = (2..).map(|number: u32| format!("{name}_{number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(is_free);
        let name = free.unwrap_or_else(|| name.to_owned());
        self.add_expression(expression, &name);
        name
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
        let expression = SelectExpression::Column(column.name.clone());
        self.list.push(SelectItem { expression, name: name.clone() });
        name
    }

    /// Selects a column that is not used, under a name that no other step adds to a row.
    pub(super) fn select_aside(&mut self, column: &PlannedColumn) {
        if self.name_of(column).is_none() {
            self.add_output(column, &format!("found_{}", column.name));
        }
    }

    /// The name under which a column is selected.
    pub(super) fn name_of(&self, column: &PlannedColumn) -> Option<String> {
        let is_column = |item: &&SelectItem| matches!(&item.expression, SelectExpression::Column(name) if *name == column.name);
        let found = self.list.iter().find(is_column)?;
        Some(found.name.clone())
    }

    /// The items, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &SelectItem> {
        self.list.iter()
    }

    /// Whether nothing is selected.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
