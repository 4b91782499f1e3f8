//! A read with its conditions classified by the mapping rule that they fall under.

use model::dependency::{Dependencies, Determinant};
use model::id::ReadId;
use model::plan::RowDefinition;
use model::workload::{Column, Comparison, Condition, OutputValue, Predicate, Read, Value};

use crate::Context;

/// A read, its conditions classified by the mapping rule that they fall under.
#[derive(Clone, Debug)]
pub(super) struct ReadShape<'a> {
    pub(super) context: Context<'a>,
    pub(super) read: &'a Read,
    /// Its position; `None` for one that a write needs.
    pub(super) position: Option<ReadId>,
    pub(super) dependencies: Dependencies<'a>,
    /// What is given by equality, in the order written, each class of equal columns once.
    pub(super) equalities: Vec<Equality>,
    /// Columns with a range, which become clustering columns in that order: one, or those of a row
    /// value.
    pub(super) ranges: Vec<Column>,
    /// Columns compared with a list that the result is ordered by first: they lead the clustering
    /// columns.
    pub(super) lists: Vec<Column>,
    /// The column searched by prefix.
    pub(super) prefix: Option<Column>,
    /// Arrays that the client searches.
    pub(super) whole_arrays: Vec<Column>,
    /// Which rows are stored.
    pub(super) holds: RowDefinition,
}

/// Something given by equality.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equality {
    pub(super) known: Determinant,
    /// As one of several values.
    pub(super) several: bool,
}

impl<'a> ReadShape<'a> {
    pub(super) fn new(context: Context<'a>, read: &'a Read, position: Option<ReadId>) -> Self {
        let mut shape = Self {
            context,
            read,
            position,
            dependencies: Dependencies::new(context.concept, &read.sources),
            equalities: Vec::new(),
            ranges: Vec::new(),
            lists: Vec::new(),
            prefix: None,
            whole_arrays: Vec::new(),
            holds: RowDefinition { sources: read.sources.clone(), ..RowDefinition::default() },
        };
        for condition in &read.conditions {
            shape.classify(condition);
        }
        shape.leave_ordered_lists_to_clustering();
        shape.keep_one_range();
        if let (Some(prefix), []) = (shape.prefix, shape.equalities.as_slice()) {
            shape.ranges = vec![shape.dependencies.canonical_column(prefix)];
        }
        let elements = shape.holds.elements.clone();
        let constants = constant_columns(&shape.holds.filters);
        shape.dependencies = shape.dependencies.with_elements(&elements).with_constants(&constants);
        if let (Some((column, _)), []) = (shape.extreme(), read.group.as_slice()) {
            shape.exclude_nulls(column);
        }
        shape
    }

    /// Whether the column is nullable.
    pub(super) fn is_nullable(&self, column: Column) -> bool {
        self.attribute(column).nullable || self.read.sources[column.source].is_optional()
    }

    /// The attribute of a column.
    pub(super) fn attribute(&self, column: Column) -> &'a model::concept::Attribute {
        &self.dependencies.entity(column.source).attributes[column.attribute]
    }

    /// Leaves out rows with a null in the column: they cannot match.
    pub(super) fn exclude_nulls(&mut self, column: Column) {
        if self.is_nullable(column) && !self.holds.not_null.contains(&column) {
            self.holds.not_null.push(column);
        }
    }

    /// Whether a column is given by an equality (and so the same in every row of a partition).
    pub(super) fn is_given(&self, column: Column) -> bool {
        self.equalities.iter().any(|equality| self.is_same(equality.known, column))
    }

    /// Whether a determinant is that column, or one that a join makes equal to it.
    pub(super) fn is_same(&self, known: Determinant, column: Column) -> bool {
        matches!(known, Determinant::Value(value) if self.dependencies.is_equal(value, column))
    }

    /// Whether rows are counted or added up.
    pub(super) fn is_aggregate(&self) -> bool {
        self.read.outputs.iter().any(|output| {
            matches!(
                output.value,
                OutputValue::Count(_) | OutputValue::Sum(_) | OutputValue::Average(_)
            )
        })
    }

    fn classify(&mut self, condition: &Condition) {
        if is_constant(&condition.predicate) {
            self.holds.filters.push(condition.clone());
            return;
        }
        match condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                self.add_equal_column(column, false);
            }
            Predicate::In { column, .. } | Predicate::AnyOf { column, .. } => {
                self.add_equal_column(column, true);
            }
            Predicate::Compare { column, .. } => self.add_range(column),
            // One element of an array is in the partition key; the client searches the whole array
            // for any other.
            Predicate::Holds { column, .. } if self.holds.elements.contains(&column) => {
                self.whole_arrays.push(column);
            }
            Predicate::Holds { column, .. } => {
                self.holds.elements.push(column);
                self.add_equality(Equality { known: Determinant::Element(column), several: false });
            }
            Predicate::Row { ref columns, .. } => {
                for column in columns {
                    self.add_range(*column);
                }
            }
            Predicate::Prefix { column, .. } => {
                self.prefix = self.prefix.or(Some(column));
                self.add_range(column);
            }
            Predicate::NotNull { column } => self.exclude_nulls(column),
            // A filter, like a constant.
            Predicate::Null { .. } => {}
        }
    }

    fn add_equal_column(&mut self, column: Column, several: bool) {
        self.exclude_nulls(column);
        let known = Determinant::Value(self.dependencies.canonical_column(column));
        self.add_equality(Equality { known, several });
    }

    fn add_equality(&mut self, equality: Equality) {
        match self.equalities.iter_mut().find(|other| other.known == equality.known) {
            Some(other) => other.several &= equality.several,
            None => self.equalities.push(equality),
        }
    }

    fn add_range(&mut self, column: Column) {
        self.exclude_nulls(column);
        let column = self.dependencies.canonical_column(column);
        if !self.ranges.contains(&column) {
            self.ranges.push(column);
        }
    }

    /// Leaves a list of values to the clustering columns where the result is ordered by that column
    /// first, unless nothing else would be in the partition key: reading the partitions in the
    /// order of the values then gives the order, too.
    fn leave_ordered_lists_to_clustering(&mut self) {
        let fixed = |column: Column| {
            let given = |one: &Equality| !one.several && self.is_same(one.known, column);
            self.equalities.iter().any(given)
        };
        let mut orders = self.read.order.iter();
        let Some(first) = orders.find(|order| !fixed(order.column)) else { return };
        let ordered = |shape: &Self, equality: &Equality| {
            equality.several && shape.is_same(equality.known, first.column)
        };
        if self.equalities.iter().any(|equality| !ordered(self, equality)) {
            let (left, kept): (Vec<Equality>, Vec<Equality>) =
                self.equalities.iter().copied().partition(|one| ordered(self, one));
            self.equalities = kept;
            self.lists.extend(left.iter().filter_map(|equality| match equality.known {
                Determinant::Value(column) => Some(column),
                Determinant::Element(_) => None,
            }));
        }
    }

    /// Keeps one range, or that of a row value: on the column that the result is ordered by first,
    /// otherwise the first in the query. The client filters by the others.
    fn keep_one_range(&mut self) {
        let given: Vec<Column> =
            self.ranges.iter().copied().filter(|column| self.is_given(*column)).collect();
        self.ranges.retain(|column| !given.contains(column));
        let rows = self.read.conditions.iter().find_map(|condition| match &condition.predicate {
            Predicate::Row { columns, .. } if !is_constant(&condition.predicate) => Some(columns),
            _ => None,
        });
        if let Some(columns) = rows {
            let within = |range: &Column| {
                columns.iter().any(|column| self.dependencies.is_equal(*column, *range))
            };
            self.ranges = self.ranges.iter().copied().filter(within).collect();
            return;
        }
        let first = self.read.order.iter().find(|ordering| !self.is_given(ordering.column));
        let ordered = first.and_then(|ordering| {
            self.ranges.iter().position(|range| self.dependencies.is_equal(*range, ordering.column))
        });
        let kept = ordered.unwrap_or(0);
        self.ranges = self.ranges.get(kept).copied().into_iter().collect();
    }
}

/// Whether a condition compares with constants only.
fn is_constant(test: &Predicate) -> bool {
    let literal = |value: &Value| matches!(value, Value::Literal(_));
    match test {
        Predicate::Compare { value, .. }
        | Predicate::Holds { value, .. }
        | Predicate::Prefix { value, .. } => literal(value),
        Predicate::In { values, .. } | Predicate::Row { values, .. } => values.iter().all(literal),
        // Only such rows are stored, as with a constant.
        Predicate::Null { .. } => true,
        Predicate::AnyOf { .. } | Predicate::NotNull { .. } => false,
    }
}

/// The columns that have one value in all rows that meet the conditions.
pub(super) fn constant_columns(filters: &[Condition]) -> Vec<Column> {
    let equal = |condition: &Condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => Some(*column),
        Predicate::In { column, values } if values.len() == 1 => Some(*column),
        _ => None,
    };
    filters.iter().filter_map(equal).collect()
}
