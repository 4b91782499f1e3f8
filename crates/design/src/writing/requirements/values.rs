//! The values of a table's columns.

use model::id::Numbered;
use model::plan::{Derivation, Operand, PlannedColumn, Role};

use super::row::{RowValues, Term, When};
use crate::statement::Pair;
use crate::writing::scope::Scope;

impl<'a> RowValues<'a> {
    /// The value of a column of the table.
    pub(super) fn column(
        &mut self,
        scope: &mut Scope<'a>,
        planned: &PlannedColumn,
        when: When,
    ) -> Term {
        // A constant is the same everywhere, and the table that was read may have a bucket in its place.
        let stays = planned.derivation != Derivation::Constant
            && (when == When::Before || !self.impact.affects_column(scope, planned));
        if stays && let Some(operand) = self.own_column(scope, planned) {
            return Term::Is(operand);
        }
        match &planned.derivation {
            Derivation::Attribute(of) => self.value(scope, *of, when),
            Derivation::Coalesced(of, constant) => match self.value(scope, *of, when) {
                Term::Null => Term::Is(Operand::Literal(constant.clone())),
                Term::Is(value) => Term::Is(Operand::OrElse(Box::new(value), constant.clone())),
            },
            Derivation::Element(of) => {
                let wanted = scope.shape.canonical(*of);
                let found = scope.elements.iter().find(|(column, _)| *column == wanted);
                found.map_or(Term::Null, |(_, operand)| Term::Is(operand.clone()))
            }
            Derivation::Bucket(of, bucket) => self
                .value(scope, *of, when)
                .map(|value| Operand::BucketOf(Box::new(value), *bucket)),
            Derivation::Shard { of, count } => {
                let mut values = Vec::new();
                for column in of {
                    match self.value(scope, *column, when) {
                        Term::Null => return Term::Null,
                        Term::Is(value) => values.push(value),
                    }
                }
                Term::Is(Operand::ShardOf(values, *count))
            }
            Derivation::Constant => Term::Is(Operand::Literal("0".to_owned())),
            Derivation::Prefix(of, length) => self
                .value(scope, *of, when)
                .map(|value| Operand::PrefixOf(Box::new(value), *length)),
            Derivation::Count(_) | Derivation::Sum(_) | Derivation::Oldest(_) => Term::Null,
        }
    }

    /// The column itself, where the rows are read from the very table.
    fn own_column(&mut self, scope: &Scope<'a>, planned: &PlannedColumn) -> Option<Operand> {
        let step = scope.found?;
        let own = self.requests.at_mut(step)?.own.as_mut()?;
        own.names.insert(planned.name.clone());
        Some(Operand::Row { step, column: planned.name.clone() })
    }

    /// The values of the primary key, or of the partition key alone; `None` where one is null.
    pub(super) fn key(
        &mut self,
        scope: &mut Scope<'a>,
        when: When,
        partition_only: bool,
    ) -> Option<Vec<Pair>> {
        let table = scope.table;
        let part = |column: &&PlannedColumn| {
            column.role == Role::Partition || (column.is_key() && !partition_only)
        };
        let mut pairs = Vec::new();
        for column in table.columns.iter().filter(part) {
            match self.column(scope, column, when) {
                Term::Null => return None,
                Term::Is(value) => pairs.push((column.name.clone(), value)),
            }
        }
        Some(pairs)
    }
}
