//! Maps columns of a read to columns of a table.

use model::concept::{Attribute, Concept};
use model::id::{AttributeId, IdList, SourceId, StepId};
use model::plan::{
    ColumnRole, Derivation, Operand, PlannedColumn, PlannedIndex, PlannedTable, ReadPart,
    ServedRead,
};
use model::workload::{Column, Comparison, Condition, Predicate, Read, Source};

use super::restriction::operand;
use crate::indexing;

/// A read, and a table that serves it or a part of it.
#[derive(Clone, Copy)]
pub(crate) struct ReadView<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) table: &'a PlannedTable,
    pub(crate) read: &'a Read,
    /// For each source of the read the matching source of the table; `None` where the table lacks
    /// it.
    pub(crate) sources: &'a [Option<SourceId>],
    /// The part of the read that comes from the table.
    pub(crate) part: ReadPart,
    /// The index by which the table is searched.
    pub(super) index: Option<&'a PlannedIndex>,
    /// The earlier step for each of whose rows the table is read.
    pub(crate) given: Option<&'a EarlierStep>,
}

/// What the rows of an earlier step give to a later one.
#[derive(Clone, Debug, Default)]
pub(crate) struct EarlierStep {
    /// Columns of the read, and where their values come from.
    pub(super) values: Vec<(Column, Operand)>,
    /// For each source of the read whether the earlier step has its row, which is then fixed in
    /// each turn.
    pub(super) sources: Vec<bool>,
    /// For each condition of the read whether the earlier step satisfies it.
    pub(super) met: Vec<bool>,
    /// The earlier step.
    pub(super) step: StepId,
}

impl<'a> ReadView<'a> {
    /// A read and a table of the design that serves it, with nothing read before.
    pub(crate) fn new(
        concept: &'a Concept,
        table: &'a PlannedTable,
        read: &'a Read,
        served: &'a ServedRead,
    ) -> Self {
        let ServedRead { read: at, sources, part } = served;
        let index = indexing::find_index(table, (*at, *part));
        Self { concept, table, read, sources, part: *part, index, given: None }
    }

    /// A read and a candidate that would have its rows, searched by its index if it has one.
    pub(crate) fn for_candidate(
        concept: &'a Concept,
        table: &'a PlannedTable,
        read: &'a Read,
        sources: &'a [Option<SourceId>],
    ) -> Self {
        let index = table.indexes.first();
        Self { concept, table, read, sources, part: ReadPart::Rows, index, given: None }
    }

    /// A column of the read as one of the table's sources, the same for all that the join makes
    /// equal; `None` where the table lacks its source.
    pub(crate) fn canonical(&self, column: Column) -> Option<Column> {
        let source = self.sources.member(column.source).copied().flatten();
        let stored = match source {
            Some(source) => Some(Column { source, ..column }),
            None => self.equal_column(column),
        };
        stored.map(|stored| self.canonical_stored(stored))
    }

    /// A column of a source that the table lacks, as the equal column of another source.
    fn equal_column(&self, column: Column) -> Option<Column> {
        let wanted = self.canonical_in_read(column);
        let held = self.sources.enumerate_ids();
        held.filter_map(|(source_in_read, source)| Some((source_in_read, (*source)?))).find_map(
            |(source_in_read, source)| {
                let entity = self.read.sources.member(source_in_read)?.entity;
                let attributes = &self.concept.entities.member(entity)?.attributes;
                let same = |attribute: &AttributeId| {
                    self.canonical_in_read(Column { source: source_in_read, attribute: *attribute })
                };
                let attribute = attributes.ids().find(|attribute| same(attribute) == wanted)?;
                Some(Column { source, attribute })
            },
        )
    }

    /// The representative of a column of the read, the same for all that the join makes equal.
    pub(crate) fn canonical_in_read(&self, column: Column) -> Column {
        canonical(self.concept, &self.read.sources, column)
    }

    /// The representative of a column of the table's sources, the same for all that the join makes
    /// equal.
    pub(crate) fn canonical_stored(&self, column: Column) -> Column {
        canonical(self.concept, &self.table.holds.sources, column)
    }

    /// The table's column that stores a column of the read.
    pub(crate) fn find_stored(&self, column: Column) -> Option<&'a PlannedColumn> {
        let wanted = self.canonical(column)?;
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

    /// The column by whose index the table is searched.
    pub(super) fn index_column(&self) -> Option<&'a PlannedColumn> {
        self.table.column(&self.index?.column)
    }

    /// A column of the table's sources as one of the read's.
    pub(crate) fn column_in_read(&self, stored: Column) -> Option<Column> {
        let held = |source: &Option<SourceId>| *source == Some(stored.source);
        let source = self.sources.find_id(held)?;
        Some(Column { source, ..stored })
    }

    /// Whether partitions of the table may have static columns and no rows.
    pub(super) fn has_statics(&self) -> bool {
        self.table.columns.iter().any(|column| column.role == ColumnRole::Static)
    }

    /// Whether a column of the read is the same as one of the table's sources.
    pub(crate) fn is_same_column(&self, column: Column, stored: Column) -> bool {
        self.canonical(column) == Some(self.canonical_stored(stored))
    }

    /// The one value that a column of the table's sources has in each statement.
    pub(crate) fn equality_value(&self, stored: Column) -> Option<Operand> {
        let conditions = self.read.conditions.iter();
        let condition = conditions.filter_map(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, value } => {
                self.is_same_column(*column, stored).then(|| operand(value))
            }
            _ => None,
        });
        condition.chain(self.earlier_value(stored)).next()
    }

    /// The value that an earlier step gives a column of the table's sources.
    pub(super) fn earlier_value(&self, stored: Column) -> Option<Operand> {
        let mut values = self.given?.values.iter();
        values
            .find(|(column, _)| self.is_same_column(*column, stored))
            .map(|(_, operand)| operand.clone())
    }

    /// Whether a column of the read has one value in the whole result.
    pub(crate) fn is_one_value(&self, column: Column) -> bool {
        let wanted = self.canonical_in_read(column);
        self.read.conditions.iter().any(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                self.canonical_in_read(*column) == wanted
            }
            _ => false,
        })
    }

    /// Whether a column of the read is the same in all that is read under one row of an earlier
    /// step.
    pub(super) fn is_given(&self, column: Column) -> bool {
        let Some(given) = self.given else { return false };
        let wanted = self.canonical_in_read(column);
        given.sources.get(column.source.index()).copied().unwrap_or(false)
            || given.values.iter().any(|(column, _)| self.canonical_in_read(*column) == wanted)
    }

    /// Whether all stored rows of the table satisfy a condition.
    pub(crate) fn is_met_by_storage(&self, condition: &Condition) -> bool {
        let predicate = condition.predicate.map_columns(|column| self.canonical(column));
        let filtered = self.table.holds.filters.iter().any(|filter| {
            filter.predicate.map_columns(|column| Some(self.canonical_stored(column))) == predicate
        });
        filtered
            || match &condition.predicate {
                Predicate::NotNull { column } => self.is_never_null(*column),
                _ => false,
            }
    }

    /// Whether a column of the read is null in no row of the table.
    fn is_never_null(&self, column: Column) -> bool {
        let in_key = |planned: &PlannedColumn| {
            planned.is_key() && matches!(planned.derivation, Derivation::Attribute(_))
        };
        let is_optional = self.read.sources.member(column.source).is_some_and(Source::is_optional);
        self.attribute(column).is_some_and(|attribute| !attribute.nullable && !is_optional)
            || self.table.holds.not_null.iter().any(|stored| self.is_same_column(column, *stored))
            || self.find_stored(column).is_some_and(in_key)
    }

    /// The attribute that a column of the read is.
    pub(crate) fn attribute(&self, column: Column) -> Option<&'a Attribute> {
        let entity = self.read.sources.member(column.source)?.entity;
        self.concept.entities.member(entity)?.attributes.member(column.attribute)
    }

    /// Whether the join of a source that the table lacks may leave out rows: what refers to it may
    /// be null.
    pub(crate) fn can_be_absent(&self, source: SourceId) -> bool {
        if self.read.sources.member(source).is_some_and(Source::is_optional) {
            return false;
        }
        let Some((join, entity)) =
            self.read.sources.member(source).and_then(|source| Some((source.join?, source.entity)))
        else {
            return false;
        };
        let (holder, held) = if join.to_one {
            (join.with, self.read.sources.member(join.with).map(|with| with.entity))
        } else {
            (source, Some(entity))
        };
        let entity = held.and_then(|held| self.concept.entities.member(held));
        let Some(reference) = entity.and_then(|entity| entity.references.member(join.reference))
        else {
            return false;
        };
        let mut columns =
            reference.attributes.iter().map(|&attribute| Column { source: holder, attribute });
        columns.any(|column| !self.is_never_null(column))
    }
}

/// A column, or the one of the earliest source that it is joined to.
pub(crate) fn canonical(concept: &Concept, sources: &[Source], mut column: Column) -> Column {
    for _ in 0..sources.len() {
        let Some(earlier) = earlier_column(concept, sources, column) else { break };
        column = earlier;
    }
    column
}

/// The column of an earlier source that a column is joined to.
fn earlier_column(concept: &Concept, sources: &[Source], column: Column) -> Option<Column> {
    let source = sources.member(column.source)?;
    let join = source.join?;
    let holder = if join.to_one { sources.member(join.with)?.entity } else { source.entity };
    let reference = concept.entities.member(holder)?.references.member(join.reference)?;
    let (mine, theirs) = if join.to_one {
        (&reference.target_attributes, &reference.attributes)
    } else {
        (&reference.attributes, &reference.target_attributes)
    };
    let at = mine.iter().position(|attribute| *attribute == column.attribute)?;
    Some(Column { source: join.with, attribute: *theirs.get(at)? })
}
