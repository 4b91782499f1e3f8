//! The values of a table's columns, and whether a row belongs into the table.

use model::id::Numbered;
use model::plan::{Derivation, Guard, Operand, PlannedColumn, Role};
use model::workload::{Column, Comparison, Test};

use super::draft::{Draft, Scope, Term, When};
use super::target::{After, operand};
use super::truth::Truth;
use crate::statement::Pair;

/// The columns of the sources that a column is made from.
pub(super) fn made_from(planned: &PlannedColumn) -> Vec<Column> {
    match &planned.derivation {
        Derivation::Attribute(of)
        | Derivation::Coalesced(of, _)
        | Derivation::Element(of)
        | Derivation::Bucket(of, _)
        | Derivation::Prefix(of, _)
        | Derivation::Count(Some(of))
        | Derivation::Sum(of) => vec![*of],
        Derivation::Shard { of, .. } => of.clone(),
        Derivation::Constant | Derivation::Count(None) | Derivation::Oldest(_) => Vec::new(),
    }
}

impl<'a> Draft<'a> {
    /// Whether the write changes the values of a column.
    pub(super) fn affects_column(&self, scope: &Scope<'a>, planned: &PlannedColumn) -> bool {
        made_from(planned).into_iter().any(|column| self.affects(scope, column))
    }

    /// The value of a column of the table.
    pub(super) fn column(
        &mut self,
        scope: &mut Scope<'a>,
        planned: &PlannedColumn,
        when: When,
    ) -> Term {
        // A constant is the same everywhere, and the table that was read may have a bucket in its place.
        let stays = planned.derivation != Derivation::Constant
            && (when == When::Before || !self.affects_column(scope, planned));
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

    /// Whether the row belongs into the table: its filters, columns that must not be null, and joins that must hold.
    pub(super) fn belongs(&mut self, scope: &mut Scope<'a>, when: When) -> Truth {
        let own = self.finds_own(scope);
        let table = scope.table;
        let mut truths = Vec::new();
        for column in referring(scope).into_iter().chain(table.holds.not_null.iter().copied()) {
            // A row that is read from the very table belongs there, as far as the write does not change it.
            if !own || (when == When::After && self.affects(scope, column)) {
                truths.push(self.is_not_null(scope, column, when));
            }
        }
        for filter in &table.holds.filters {
            let changes = filter.test.columns().iter().copied().any(|of| self.affects(scope, of));
            if !own || (when == When::After && changes) {
                truths.push(self.meets(scope, &filter.test, when));
            }
        }
        Truth::all(truths)
    }

    /// Whether the write may change that a row belongs into the table, or what it is joined with.
    pub(super) fn affects_belonging(&self, scope: &Scope<'a>) -> bool {
        let holds = &scope.table.holds;
        let filtered = holds.filters.iter().flat_map(|filter| filter.test.columns()).copied();
        let joined = scope.shape.hops(scope.source).into_iter().filter(|hop| hop.to_one);
        filtered.chain(holds.not_null.iter().copied()).any(|column| self.affects(scope, column))
            || joined
                .flat_map(|hop| hop.reference.attributes.clone())
                .any(|attribute| self.target.changes(attribute))
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
        let after = self.becomes(scope, column).filter(|_| when == When::After);
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

    /// What becomes of an array of the entity written.
    pub(super) fn becomes(&self, scope: &Scope<'a>, column: Column) -> Option<After> {
        self.target.after.get(scope.attribute(column)?.index()).cloned()
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
    let sources = 0..scope.shape.sources.len();
    let hops = sources.flat_map(|source| scope.shape.hops(source)).filter(|hop| hop.to_one);
    hops.flat_map(|hop| {
        let columns = hop.reference.attributes.iter();
        columns.map(move |attribute| Column { source: hop.from, attribute: *attribute })
    })
    .collect()
}

/// Whether the value of a column may be null, as it is known before it is clear whether the join holds.
pub(super) fn may_be_null(scope: &Scope<'_>, column: Column) -> bool {
    let (source, attribute) = match scope.attribute(column) {
        Some(attribute) => (scope.source, attribute),
        None => (column.source, column.attribute),
    };
    let entity = scope.shape.entity(source);
    entity.and_then(|entity| entity.attributes.at(attribute)).is_none_or(|found| found.nullable)
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
