//! Whether a row belongs into a table, was there, and leaves its place.

use model::id::Numbered;
use model::plan::{Derivation, Guard, Operand};
use model::workload::{Column, Comparison, Test};

use super::row::{RowValues, Term, When};
use crate::writing::impact::target::{After, operand};
use crate::writing::impact::{made_from, may_be_null};
use crate::writing::scope::Scope;
use crate::writing::shape::Part;
use crate::writing::truth::Truth;

impl<'a> RowValues<'a> {
    /// Whether the row belongs into the table: its filters, columns that must not be null, and joins that must hold.
    pub(super) fn belongs(&mut self, scope: &mut Scope<'a>, when: When) -> Truth {
        let own = self.finds_own(scope);
        let table = scope.table;
        let mut truths = Vec::new();
        for column in referring(scope).into_iter().chain(table.holds.not_null.iter().copied()) {
            // A row that is read from the very table belongs there, as far as the write does not change it.
            if !own || (when == When::After && self.impact.affects(scope, column)) {
                truths.push(self.is_not_null(scope, column, when));
            }
        }
        for filter in &table.holds.filters {
            let changes =
                filter.test.columns().iter().copied().any(|of| self.impact.affects(scope, of));
            if !own || (when == When::After && changes) {
                truths.push(self.meets(scope, &filter.test, when));
            }
        }
        Truth::all(truths)
    }

    fn is_not_null(&mut self, scope: &mut Scope<'a>, column: Column, when: When) -> Truth {
        match self.value(scope, column, when) {
            Term::Null => Truth::Never,
            Term::Is(Operand::Literal(_)) => Truth::Always,
            Term::Is(_) if !may_be_null(scope, column) => Truth::Always,
            Term::Is(value) => Truth::If(Guard::NotNull(value)),
        }
    }

    /// Whether a row meets a test.
    pub(super) fn meets(&mut self, scope: &mut Scope<'a>, test: &Test, when: When) -> Truth {
        match test {
            Test::NotNull { column } => self.is_not_null(scope, *column, when),
            Test::Holds { column, value } => self.holds(scope, *column, &operand(value), when),
            _ => meets(test, |column| self.value(scope, column, when)),
        }
    }

    /// Whether an array holds an element.
    pub(super) fn holds(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        element: &Operand,
        when: When,
    ) -> Truth {
        let after = self.impact.becomes(scope, column).filter(|_| when == When::After);
        let has = |array: Operand| Truth::If(Guard::Has(array, element.clone()));
        let array = self.value(scope, column, when);
        let held = match array {
            Term::Null => Truth::Never,
            Term::Is(array) => has(array),
        };
        match after {
            Some(After::Append(more)) => {
                Truth::any([held, Truth::compares(&more, Comparison::Equal, element)])
            }
            Some(After::Remove(less)) => Truth::all([held, Truth::differ(&less, element)]),
            _ => held,
        }
    }

    /// Whether the row was there before the write.
    pub(super) fn was_there(&mut self) -> Truth {
        let key = self.impact.entity().and_then(|entity| entity.primary_key().first().copied());
        match key {
            Some(attribute) if !self.impact.target.rows_first => {
                Truth::If(Guard::NotNull(self.read_before(attribute)))
            }
            _ => Truth::Always,
        }
    }

    /// Whether the reference by which a source is reached changes its value.
    fn refers_elsewhere(&mut self, scope: &Scope<'a>) -> Truth {
        let mut truths = Vec::new();
        for hop in scope.shape.hops(scope.source).into_iter().filter(|hop| hop.to_one) {
            for attribute in &hop.reference.attributes {
                let before = self.attribute(*attribute, When::Before);
                truths.push(match (before, self.attribute(*attribute, When::After)) {
                    (Term::Is(before), Term::Is(after)) => Truth::differ(&before, &after),
                    _ => Truth::Always,
                });
            }
        }
        Truth::any(truths)
    }

    /// Whether the place of the row in the table changes.
    pub(super) fn differs(&mut self, scope: &mut Scope<'a>) -> Truth {
        let key: Vec<_> = scope.table.columns.iter().filter(|column| column.is_key()).collect();
        let plain = |of: Column| {
            key.iter().any(|column| matches!(column.derivation, Derivation::Attribute(is) if scope.shape.same(is, of)))
        };
        // A bucket, shard or prefix changes only with the column that it is made from.
        let decides: Vec<_> = key
            .iter()
            .filter(|column| match column.derivation {
                Derivation::Element(_) => false,
                Derivation::Attribute(_) => true,
                _ => !made_from(column).into_iter().all(plain),
            })
            .filter(|column| self.impact.affects_column(scope, column))
            .copied()
            .collect();
        let mut truths = Vec::new();
        let partner = scope.shape.part(scope.source) == Part::Partner;
        for column in decides {
            let mine = made_from(column).into_iter().all(|of| scope.attribute(of).is_some());
            if partner && !mine {
                truths.push(self.refers_elsewhere(scope));
                continue;
            }
            let before = self.column(scope, column, When::Before);
            let after = self.column(scope, column, When::After);
            truths.push(match (before, after) {
                (Term::Is(before), Term::Is(after)) => Truth::differ(&before, &after),
                _ => Truth::Always,
            });
        }
        Truth::any(truths)
    }
}

/// Whether the values of a row meet a test.
pub(super) fn meets(test: &Test, mut value: impl FnMut(Column) -> Term) -> Truth {
    let mut compared = |column: Column, truth: &dyn Fn(&Operand) -> Truth| match value(column) {
        Term::Null => Truth::Never,
        Term::Is(value) => truth(&value),
    };
    match test {
        Test::Compare { column, comparison, value } => {
            compared(*column, &|of| Truth::compares(of, *comparison, &operand(value)))
        }
        Test::In { column, values } => compared(*column, &|of| {
            let each = values.iter().map(operand);
            Truth::any(each.map(|value| Truth::compares(of, Comparison::Equal, &value)))
        }),
        Test::AnyOf { column, parameter } => compared(*column, &|of| {
            Truth::If(Guard::Has(Operand::Parameter(*parameter), of.clone()))
        }),
        Test::Prefix { column, value } => compared(*column, &|of| {
            let prefix = operand(value);
            let end = Operand::AfterPrefix(Box::new(prefix.clone()));
            Truth::all([
                Truth::If(Guard::Compares(of.clone(), Comparison::GreaterOrEqual, prefix)),
                Truth::If(Guard::Compares(of.clone(), Comparison::Less, end)),
            ])
        }),
        Test::NotNull { column } => compared(*column, &|of| Truth::If(Guard::NotNull(of.clone()))),
        Test::Holds { column, value } => {
            compared(*column, &|of| Truth::If(Guard::Has(of.clone(), operand(value))))
        }
        Test::Row { columns, comparison, values } => {
            let terms = columns.iter().map(|column| value(*column)).zip(values);
            let mut pairs = Vec::new();
            for (term, value) in terms {
                match term {
                    Term::Null => return Truth::Never,
                    Term::Is(of) => pairs.push((of, operand(value))),
                }
            }
            compare_rows(&pairs, *comparison)
        }
    }
}

/// The columns of the references along which the sources are joined.
fn referring(scope: &Scope<'_>) -> Vec<Column> {
    let sources = scope.shape.sources.ids();
    let hops = sources.flat_map(|source| scope.shape.hops(source)).filter(|hop| hop.to_one);
    hops.flat_map(|hop| {
        let columns = hop.reference.attributes.iter();
        columns.map(move |attribute| Column { source: hop.from, attribute: *attribute })
    })
    .collect()
}

/// `(a, b) < (x, y)`: the first that differs decides.
fn compare_rows(pairs: &[(Operand, Operand)], comparison: Comparison) -> Truth {
    let strict = match comparison {
        Comparison::LessOrEqual => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::Greater,
        other => other,
    };
    let last = pairs.len().saturating_sub(1);
    let decided_at = |at: usize| {
        let before = pairs.iter().take(at);
        let equal = before.map(|(of, value)| Truth::compares(of, Comparison::Equal, value));
        let here = pairs.get(at).map_or(Truth::Never, |(of, value)| {
            Truth::compares(of, if at == last { comparison } else { strict }, value)
        });
        Truth::all(equal.chain([here]))
    };
    Truth::any((0..pairs.len()).map(decided_at))
}
