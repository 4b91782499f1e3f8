//! Whether a row belongs into a table, existed before, and changes its key.

use model::id::IdList;
use model::plan::{Derivation, Guard, Operand};
use model::workload::{Column, Comparison, Predicate};

use super::row_values::{NullableValue, RowValues, WriteMoment};
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::target::{AttributeChange, operand};
use crate::write_plan::impact::{can_be_null, source_columns};
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::scope::Scope;

impl<'a> RowValues<'a> {
    /// Whether the row belongs into the table: its filters, columns that must not be null, joins that
    /// must hold, and roles that it plays at once.
    pub(super) fn membership(
        &mut self,
        scope: &mut Scope<'a>,
        when: WriteMoment,
    ) -> GuardExpression {
        let own = self.has_own_rows(scope);
        let table = scope.table;
        let mut truths = vec![self.same_row(scope, when)];
        for column in
            reference_columns(scope).into_iter().chain(table.holds.not_null.iter().copied())
        {
            // A row read from the table itself belongs there, unless the write changes that.
            if !own || (when == WriteMoment::After && self.impact.is_affected(scope, column)) {
                truths.push(self.check_not_null(scope, column, when));
            }
        }
        for filter in &table.holds.filters {
            let changes = filter
                .predicate
                .columns()
                .iter()
                .copied()
                .any(|of| self.impact.is_affected(scope, of));
            if !own || (when == WriteMoment::After && changes) {
                truths.push(self.evaluate_predicate(scope, &filter.predicate, when));
            }
        }
        GuardExpression::all(truths)
    }

    fn check_not_null(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        when: WriteMoment,
    ) -> GuardExpression {
        match self.value(scope, column, when) {
            NullableValue::Null => GuardExpression::Never,
            NullableValue::Is(Operand::Literal(_)) => GuardExpression::Always,
            NullableValue::Is(_) if !can_be_null(scope, column) => GuardExpression::Always,
            NullableValue::Is(value) => GuardExpression::If(Guard::NotNull(value)),
        }
    }

    /// Whether a row satisfies a predicate.
    pub(super) fn evaluate_predicate(
        &mut self,
        scope: &mut Scope<'a>,
        test: &Predicate,
        when: WriteMoment,
    ) -> GuardExpression {
        match test {
            Predicate::NotNull { column } => self.check_not_null(scope, *column, when),
            Predicate::Null { column } => self.check_not_null(scope, *column, when).negate(),
            Predicate::Holds { column, value } => {
                self.check_element(scope, *column, &operand(value), when)
            }
            _ => evaluate_predicate(test, |column| self.value(scope, column, when)),
        }
    }

    /// Whether an array holds an element.
    pub(super) fn check_element(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        element: &Operand,
        when: WriteMoment,
    ) -> GuardExpression {
        let after =
            self.impact.attribute_change(scope, column).filter(|_| when == WriteMoment::After);
        let has = |array: Operand| GuardExpression::If(Guard::Has(array, element.clone()));
        let array = self.value(scope, column, when);
        let held = match array {
            NullableValue::Null => GuardExpression::Never,
            NullableValue::Is(array) => has(array),
        };
        match after {
            Some(AttributeChange::Append(more)) => GuardExpression::any([
                held,
                GuardExpression::compare(&more, Comparison::Equal, element),
            ]),
            Some(AttributeChange::Remove(less)) => {
                GuardExpression::all([held, GuardExpression::differ(&less, element)])
            }
            _ => held,
        }
    }

    /// Whether the row was there before the write.
    pub(super) fn row_existence(&mut self) -> GuardExpression {
        let key = self.impact.entity().and_then(|entity| entity.primary_key().first().copied());
        match key {
            Some(attribute) if !self.impact.target.rows_first => {
                GuardExpression::If(Guard::NotNull(self.read_before(attribute)))
            }
            _ => GuardExpression::Always,
        }
    }

    /// Whether the reference by which a source is reached changes its value.
    fn reference_change(&mut self, scope: &Scope<'a>) -> GuardExpression {
        let mut truths = Vec::new();
        for hop in scope.shape.hops(scope.source).into_iter().filter(|hop| hop.to_one) {
            for attribute in &hop.reference.attributes {
                let before = self.attribute(*attribute, WriteMoment::Before);
                truths.push(match (before, self.attribute(*attribute, WriteMoment::After)) {
                    (NullableValue::Is(before), NullableValue::Is(after)) => {
                        GuardExpression::differ(&before, &after)
                    }
                    _ => GuardExpression::Always,
                });
            }
        }
        GuardExpression::any(truths)
    }

    /// Whether the key of the row in the table changes.
    pub(super) fn key_change(&mut self, scope: &mut Scope<'a>) -> GuardExpression {
        let key: Vec<_> = scope.table.columns.iter().filter(|column| column.is_key()).collect();
        let plain = |of: Column| {
            key.iter().any(|column| matches!(column.derivation, Derivation::Attribute(is) if scope.shape.is_same(is, of)))
        };
        // A bucket, shard or prefix changes only with the column that it is made from.
        let decides: Vec<_> = key
            .iter()
            .filter(|column| match column.derivation {
                Derivation::Element(_) => false,
                Derivation::Attribute(_) => true,
                _ => !source_columns(column).into_iter().all(plain),
            })
            .filter(|column| self.impact.is_column_affected(scope, column))
            .copied()
            .collect();
        let mut truths = Vec::new();
        let partner = scope.shape.join_role(scope.source) == JoinRole::Partner;
        for column in decides {
            let mine = source_columns(column).into_iter().all(|of| scope.attribute(of).is_some());
            if partner && !mine {
                truths.push(self.reference_change(scope));
                continue;
            }
            let before = self.column(scope, column, WriteMoment::Before);
            let after = self.column(scope, column, WriteMoment::After);
            truths.push(match (before, after) {
                (NullableValue::Is(before), NullableValue::Is(after)) => {
                    GuardExpression::differ(&before, &after)
                }
                _ => GuardExpression::Always,
            });
        }
        GuardExpression::any(truths)
    }
}

/// Whether the values of a row satisfy a predicate.
pub(super) fn evaluate_predicate(
    test: &Predicate,
    mut value: impl FnMut(Column) -> NullableValue,
) -> GuardExpression {
    let mut compared =
        |column: Column, truth: &dyn Fn(&Operand) -> GuardExpression| match value(column) {
            NullableValue::Null => GuardExpression::Never,
            NullableValue::Is(value) => truth(&value),
        };
    match test {
        Predicate::Compare { column, comparison, value } => {
            compared(*column, &|of| GuardExpression::compare(of, *comparison, &operand(value)))
        }
        Predicate::In { column, values } => compared(*column, &|of| {
            let each = values.iter().map(operand);
            GuardExpression::any(
                each.map(|value| GuardExpression::compare(of, Comparison::Equal, &value)),
            )
        }),
        Predicate::AnyOf { column, parameter } => compared(*column, &|of| {
            GuardExpression::If(Guard::Has(Operand::Parameter(*parameter), of.clone()))
        }),
        Predicate::Prefix { column, value } => compared(*column, &|of| {
            let prefix = operand(value);
            let end = Operand::AfterPrefix(Box::new(prefix.clone()));
            GuardExpression::all([
                GuardExpression::If(Guard::Compares(
                    of.clone(),
                    Comparison::GreaterOrEqual,
                    prefix,
                )),
                GuardExpression::If(Guard::Compares(of.clone(), Comparison::Less, end)),
            ])
        }),
        Predicate::NotNull { column } => {
            compared(*column, &|of| GuardExpression::If(Guard::NotNull(of.clone())))
        }
        Predicate::Null { column } => match value(*column) {
            NullableValue::Null => GuardExpression::Always,
            NullableValue::Is(of) => GuardExpression::If(Guard::Null(of)),
        },
        Predicate::Holds { column, value } => {
            compared(*column, &|of| GuardExpression::If(Guard::Has(of.clone(), operand(value))))
        }
        Predicate::Row { columns, comparison, values } => {
            let terms = columns.iter().map(|column| value(*column)).zip(values);
            let mut pairs = Vec::new();
            for (term, value) in terms {
                match term {
                    NullableValue::Null => return GuardExpression::Never,
                    NullableValue::Is(of) => pairs.push((of, operand(value))),
                }
            }
            compare_rows(&pairs, *comparison)
        }
    }
}

/// The columns of the references along which the sources are joined, those of optional ones apart.
fn reference_columns(scope: &Scope<'_>) -> Vec<Column> {
    let sources = scope.shape.sources.ids();
    let hops = sources.flat_map(|source| scope.shape.hops(source));
    let hops = hops.filter(|hop| hop.to_one && !hop.optional);
    hops.flat_map(|hop| {
        let columns = hop.reference.attributes.iter();
        columns.map(move |attribute| Column { source: hop.from, attribute: *attribute })
    })
    .collect()
}

/// `(a, b) < (x, y)`: the first that differs decides.
fn compare_rows(pairs: &[(Operand, Operand)], comparison: Comparison) -> GuardExpression {
    let strict = match comparison {
        Comparison::LessOrEqual => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::Greater,
        other => other,
    };
    let last = pairs.len().saturating_sub(1);
    let decided_at = |at: usize| {
        let before = pairs.iter().take(at);
        let equal =
            before.map(|(of, value)| GuardExpression::compare(of, Comparison::Equal, value));
        let here = pairs.get(at).map_or(GuardExpression::Never, |(of, value)| {
            GuardExpression::compare(of, if at == last { comparison } else { strict }, value)
        });
        GuardExpression::all(equal.chain([here]))
    };
    GuardExpression::any((0..pairs.len()).map(decided_at))
}
