//! The values of a table's columns.

use model::id::IdList;
use model::plan::{ColumnRole, Derivation, Operand, PlannedColumn};

use super::row_values::{NullableValue, RowValues, WriteMoment};
use crate::statement::ColumnValue;
use crate::write_plan::scope::Scope;

impl<'a> RowValues<'a> {
    /// The value of a column of the table.
    pub(super) fn column(
        &mut self,
        scope: &mut Scope<'a>,
        planned: &PlannedColumn,
        when: WriteMoment,
    ) -> NullableValue {
        // A constant needs no read, and the table that was read may have a bucket in its place.
        let stays = planned.derivation != Derivation::Constant
            && (when == WriteMoment::Before || !self.impact.is_column_affected(scope, planned));
        if stays && let Some(operand) = self.own_column(scope, planned) {
            return NullableValue::Is(operand);
        }
        match &planned.derivation {
            Derivation::Attribute(of) => self.value(scope, *of, when),
            Derivation::Coalesced(of, constant) => match self.value(scope, *of, when) {
                NullableValue::Null => NullableValue::Is(Operand::Literal(constant.clone())),
                NullableValue::Is(value) => {
                    NullableValue::Is(Operand::OrElse(Box::new(value), constant.clone()))
                }
            },
            Derivation::Element(of) => {
                let wanted = scope.shape.canonical(*of);
                let found = scope.elements.iter().find(|(column, _)| *column == wanted);
                found.map_or(NullableValue::Null, |(_, operand)| NullableValue::Is(operand.clone()))
            }
            Derivation::Bucket(of, bucket) => self
                .value(scope, *of, when)
                .map(|value| Operand::BucketOf(Box::new(value), *bucket)),
            Derivation::Shard { of, count } => {
                let mut values = Vec::new();
                for column in of {
                    match self.value(scope, *column, when) {
                        NullableValue::Null => return NullableValue::Null,
                        NullableValue::Is(value) => values.push(value),
                    }
                }
                NullableValue::Is(Operand::ShardOf(values, *count))
            }
            Derivation::Constant => NullableValue::Is(Operand::Literal("0".to_owned())),
            Derivation::Prefix(of, length) => self
                .value(scope, *of, when)
                .map(|value| Operand::PrefixOf(Box::new(value), *length)),
            Derivation::Count(_)
            | Derivation::Sum(_)
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => NullableValue::Null,
        }
    }

    /// The column itself, where the rows are read from the written table.
    fn own_column(&mut self, scope: &Scope<'a>, planned: &PlannedColumn) -> Option<Operand> {
        let step = scope.found?;
        let own = self.requests.member_mut(step)?.own.as_mut()?;
        own.names.insert(planned.name.clone());
        Some(Operand::Row { step, column: planned.name.clone() })
    }

    /// The values of the primary key, or of the partition key alone; `None` where one is null.
    pub(super) fn key(
        &mut self,
        scope: &mut Scope<'a>,
        when: WriteMoment,
        partition_only: bool,
    ) -> Option<Vec<ColumnValue>> {
        let table = scope.table;
        let part = |column: &&PlannedColumn| {
            column.role == ColumnRole::Partition || (column.is_key() && !partition_only)
        };
        let mut pairs = Vec::new();
        for column in table.columns.iter().filter(part) {
            match self.column(scope, column, when) {
                NullableValue::Null => return None,
                NullableValue::Is(value) => pairs.push((column.name.clone(), value)),
            }
        }
        Some(pairs)
    }
}
