//! Which rows a table holds, where it does not hold all of them.

use super::RowDefinition;
use crate::concept::{Attribute, Concept};
use crate::id::IdList;
use crate::workload::{Column, Predicate, Value};

impl RowDefinition {
    /// The conditions that a row meets to be in the table, as SQL writes them; `None` for a table
    /// of all rows.
    pub fn restriction(&self, concept: &Concept) -> Option<String> {
        let filters = self.filters.iter().map(|filter| self.condition(concept, &filter.predicate));
        let set = self.not_null_columns(concept).into_iter();
        let set = set.map(|column| format!("{} IS NOT NULL", self.name(concept, column)));
        let mut all: Vec<String> = Vec::new();
        for text in filters.chain(set) {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        (!all.is_empty()).then(|| all.join(" AND "))
    }

    /// The columns that may be null in the model and never are in the table.
    pub fn not_null_columns(&self, concept: &Concept) -> Vec<Column> {
        let is_nullable = |column: &Column| {
            self.attribute(concept, *column).is_some_and(|attribute| attribute.nullable)
        };
        self.not_null.iter().copied().filter(is_nullable).collect()
    }

    /// The attribute that a column of the sources is.
    pub fn attribute<'c>(&self, concept: &'c Concept, column: Column) -> Option<&'c Attribute> {
        let source = self.sources.member(column.source)?;
        concept.entities.member(source.entity)?.attributes.member(column.attribute)
    }

    /// The name of a column, with that of its source where there are several.
    fn name(&self, concept: &Concept, column: Column) -> String {
        let name = self.attribute(concept, column).map_or("?", |attribute| &attribute.name);
        match self.sources.member(column.source) {
            Some(source) if self.sources.len() > 1 => format!("{}.{name}", source.alias),
            _ => name.to_owned(),
        }
    }

    fn condition(&self, concept: &Concept, predicate: &Predicate) -> String {
        let name = |column: &Column| self.name(concept, *column);
        let list =
            |values: &[Value]| values.iter().map(value_text).collect::<Vec<String>>().join(", ");
        match predicate {
            Predicate::Compare { column, comparison, value } => {
                format!("{} {} {}", name(column), comparison.symbol(), value_text(value))
            }
            Predicate::In { column, values } => format!("{} IN ({})", name(column), list(values)),
            Predicate::AnyOf { column, .. } => format!("{} = ANY(?)", name(column)),
            Predicate::Holds { column, value } => {
                format!("{} = ANY({})", value_text(value), name(column))
            }
            Predicate::Row { columns, comparison, values } => {
                let names: Vec<String> = columns.iter().map(name).collect();
                format!("({}) {} ({})", names.join(", "), comparison.symbol(), list(values))
            }
            Predicate::Prefix { column, value } => {
                format!("{} LIKE {} || '%'", name(column), value_text(value))
            }
            Predicate::NotNull { column } => format!("{} IS NOT NULL", name(column)),
            Predicate::Null { column } => format!("{} IS NULL", name(column)),
        }
    }
}

/// A value; a parameter as a marker.
fn value_text(value: &Value) -> String {
    match value {
        Value::Literal(literal) => literal.clone(),
        Value::Parameter(_) => "?".to_owned(),
    }
}
