//! The columns of a table, found from the columns of a read.

use model::concept::Concept;
use model::plan::{Derivation, PlannedColumn, PlannedTable, Role, Served};
use model::workload::{Column, Comparison, Condition, Read, Source, Test, Value};

/// A read, and the table that serves it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) table: &'a PlannedTable,
    pub(crate) read: &'a Read,
    pub(crate) served: &'a Served,
}

impl<'a> View<'a> {
    /// A column of the read as one of the table's sources, the same for all that are joined to be equal.
    pub(crate) fn canonical(&self, column: Column) -> Column {
        // A source that the table does not hold is no column of it.
        let source = self.served.sources.get(column.source).copied().flatten();
        self.canonical_stored(Column { source: source.unwrap_or(usize::MAX), ..column })
    }

    /// A column of the table's sources, the same for all that are joined to be equal.
    pub(crate) fn canonical_stored(&self, column: Column) -> Column {
        canonical(self.concept, &self.table.holds.sources, column)
    }

    /// The table's column that stores a column of the read.
    pub(crate) fn stored(&self, column: Column) -> Option<&'a PlannedColumn> {
        let wanted = self.canonical(column);
        let of = |planned: &PlannedColumn| match planned.derivation {
            Derivation::Attribute(stored) => Some(self.canonical_stored(stored)),
            _ => None,
        };
        self.table.columns.iter().find(|planned| of(planned) == Some(wanted)).or_else(|| {
            self.table.columns.iter().find(|planned| match &planned.derivation {
                Derivation::Coalesced(stored, _) => self.canonical_stored(*stored) == wanted,
                _ => false,
            })
        })
    }

    /// Whether partitions of the table may have static columns and no rows.
    pub(super) fn has_statics(&self) -> bool {
        self.table.columns.iter().any(|column| column.role == Role::Static)
    }

    /// Whether a column of the read is the same as one of the table's sources.
    pub(crate) fn is(&self, column: Column, stored: Column) -> bool {
        self.canonical(column) == self.canonical_stored(stored)
    }

    /// The value that the read fixes a column of the table's sources to.
    pub(crate) fn fixed(&self, stored: Column) -> Option<&'a Value> {
        self.read.conditions.iter().find_map(|condition| match &condition.test {
            Test::Compare { column, comparison: Comparison::Equal, value }
                if self.is(*column, stored) =>
            {
                Some(value)
            }
            _ => None,
        })
    }

    /// Whether the rows of the table meet a condition by being stored.
    pub(crate) fn is_met_by_storage(&self, condition: &Condition) -> bool {
        let asked = condition.test.renamed(|column| Some(self.canonical(column)));
        let filtered = self.table.holds.filters.iter().any(|filter| {
            filter.test.renamed(|column| Some(self.canonical_stored(column))) == asked
        });
        filtered
            || match &condition.test {
                Test::NotNull { column } => {
                    self.table.holds.not_null.iter().any(|stored| self.is(*column, *stored))
                }
                _ => false,
            }
    }
}

/// A column, or the one of the earliest source that it is joined to.
fn canonical(concept: &Concept, sources: &[Source], mut column: Column) -> Column {
    for _ in 0..sources.len() {
        let Some(earlier) = joined_to(concept, sources, column) else { break };
        column = earlier;
    }
    column
}

/// The column of an earlier source that a column is joined to.
fn joined_to(concept: &Concept, sources: &[Source], column: Column) -> Option<Column> {
    let source = sources.get(column.source)?;
    let join = source.join?;
    let holder = if join.to_one { sources.get(join.with)?.entity } else { source.entity };
    let reference = concept.entities.get(holder)?.references.get(join.reference)?;
    let (mine, theirs) = if join.to_one {
        (&reference.target_attributes, &reference.attributes)
    } else {
        (&reference.attributes, &reference.target_attributes)
    };
    let at = mine.iter().position(|attribute| *attribute == column.attribute)?;
    Some(Column { source: join.with, attribute: *theirs.get(at)? })
}
