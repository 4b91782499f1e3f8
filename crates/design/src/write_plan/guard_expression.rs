//! Conditions on operands, folded where their value is known at planning time.

use model::plan::{Guard, Operand};
use model::workload::Comparison;

/// A guard, folded to `Always` or `Never` where that is known at planning time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GuardExpression {
    Always,
    Never,
    If(Guard),
}

impl GuardExpression {
    /// All of them hold.
    pub(super) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut guards = Vec::new();
        for part in parts {
            match part {
                Self::Always => {}
                Self::Never => return Self::Never,
                Self::If(Guard::All(more)) => guards.extend(more),
                Self::If(guard) => guards.push(guard),
            }
        }
        let is_refuted = |guard: &Guard| match guard {
            Guard::Null(operand) => guards.contains(&Guard::NotNull(operand.clone())),
            _ => false,
        };
        if guards.iter().any(is_refuted) {
            return Self::Never;
        }
        Self::combine(guards, Guard::All, Self::Always)
    }

    /// At least one of them holds.
    pub(super) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut guards = Vec::new();
        for part in parts {
            match part {
                Self::Never => {}
                Self::Always => return Self::Always,
                Self::If(Guard::Any(more)) => guards.extend(more),
                Self::If(guard) => guards.push(guard),
            }
        }
        Self::combine(guards, Guard::Any, Self::Never)
    }

    fn combine(mut guards: Vec<Guard>, join: fn(Vec<Guard>) -> Guard, empty: Self) -> Self {
        let mut seen = Vec::new();
        guards.retain(|guard| {
            let new = !seen.contains(guard);
            seen.push(guard.clone());
            new
        });
        match guards.len() {
            0 => empty,
            1 => guards.pop().map_or(empty, Self::If),
            _ => Self::If(join(guards)),
        }
    }

    /// It does not hold.
    pub(super) fn negate(self) -> Self {
        match self {
            Self::Always => Self::Never,
            Self::Never => Self::Always,
            Self::If(guard) => Self::If(negate(guard)),
        }
    }

    /// The guards that must all hold; `None` when they never do.
    pub(super) fn guards(self) -> Option<Vec<Guard>> {
        match self {
            Self::Always => Some(Vec::new()),
            Self::Never => None,
            Self::If(Guard::All(guards)) => Some(guards),
            Self::If(guard) => Some(vec![guard]),
        }
    }

    /// The comparison of two values.
    pub(super) fn compare(left: &Operand, comparison: Comparison, right: &Operand) -> Self {
        if let (Operand::Literal(one), Operand::Literal(other), Comparison::Equal) =
            (left, right, comparison)
        {
            return if one == other { Self::Always } else { Self::Never };
        }
        Self::If(Guard::Compares(left.clone(), comparison, right.clone()))
    }

    /// Two values are equal.
    pub(super) fn equal(one: &Operand, other: &Operand) -> Self {
        if one == other { Self::Always } else { Self::compare(one, Comparison::Equal, other) }
    }

    /// Two values differ.
    pub(super) fn differ(one: &Operand, other: &Operand) -> Self {
        match (one, other) {
            _ if one == other => Self::Never,
            (Operand::Literal(_), Operand::Literal(_)) => Self::Always,
            _ => Self::If(Guard::Differ(one.clone(), other.clone())),
        }
    }
}

/// The negation. `Differ` has none, and nothing needs it.
fn negate(guard: Guard) -> Guard {
    match guard {
        Guard::NotNull(operand) => Guard::Null(operand),
        Guard::Null(operand) => Guard::NotNull(operand),
        Guard::Compares(left, comparison, right) => Guard::Fails(left, comparison, right),
        Guard::Fails(left, comparison, right) => Guard::Compares(left, comparison, right),
        Guard::Has(array, element) => Guard::Lacks(array, element),
        Guard::Lacks(array, element) => Guard::Has(array, element),
        Guard::Any(guards) => Guard::All(guards.into_iter().map(negate).collect()),
        Guard::All(guards) => Guard::Any(guards.into_iter().map(negate).collect()),
        Guard::Differ(one, other) => Guard::Compares(one, Comparison::Equal, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::id::ParameterId;

    fn literal(text: &str) -> Operand {
        Operand::Literal(text.to_owned())
    }

    #[test]
    fn constants_fold() {
        let open =
            GuardExpression::compare(&literal("'open'"), Comparison::Equal, &literal("'open'"));
        let closed =
            GuardExpression::compare(&literal("'open'"), Comparison::Equal, &literal("'closed'"));
        assert_eq!((open, closed), (GuardExpression::Always, GuardExpression::Never));
        let given = Guard::NotNull(Operand::Parameter(ParameterId::new(0)));
        let both =
            GuardExpression::all([GuardExpression::Always, GuardExpression::If(given.clone())]);
        assert_eq!(both.clone().guards(), Some(vec![given.clone()]));
        assert_eq!(
            both.negate(),
            GuardExpression::If(Guard::Null(Operand::Parameter(ParameterId::new(0))))
        );
        let lacking = Guard::Null(Operand::Parameter(ParameterId::new(0)));
        let both = [given.clone(), lacking].map(GuardExpression::If);
        assert_eq!(GuardExpression::all(both), GuardExpression::Never);
        assert_eq!(
            GuardExpression::all([GuardExpression::If(given), GuardExpression::Never]).guards(),
            None
        );
    }

    #[test]
    fn a_negated_conjunction_is_a_disjunction() {
        let (zero, one) =
            (Operand::Parameter(ParameterId::new(0)), Operand::Parameter(ParameterId::new(1)));
        let both = GuardExpression::all([
            GuardExpression::If(Guard::NotNull(zero.clone())),
            GuardExpression::compare(&one, Comparison::Less, &zero),
        ]);
        let expected =
            Guard::Any(vec![Guard::Null(zero.clone()), Guard::Fails(one, Comparison::Less, zero)]);
        assert_eq!(both.negate(), GuardExpression::If(expected));
    }
}
