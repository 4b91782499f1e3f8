//! Compares the results of a read on both sides.
//!
//! They agree as sequences, up to ties of the ORDER BY: rows that are equal in it may come in any
//! order, and where LIMIT cuts through such rows, any of them may be those that are left. Without
//! ORDER BY all rows are equal in it.

use std::collections::BTreeMap;

use cql::types::{NativeType, Type};
use model::concept::Concept;
use model::expression::Expression;
use model::id::{IdList, ReadId};
use model::plan::{Design, ReadPart};
use model::workload::{ComputedOutput, Output, OutputValue, Read, Returning};

use crate::contents::{normalise, normalise_set};
use crate::dataset::Datum;
use crate::relational::{RankedRow, ResultColumns};
use crate::value::element_type;

/// The significant digits in which averages must agree.
const AVERAGE_DIGITS: usize = 10;

/// Compares the results of one read.
#[derive(Debug)]
pub(crate) struct AnswerComparer {
    outputs: Vec<(Type, OutputComparison)>,
    ordered: bool,
}

/// How an output is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputComparison {
    /// By value.
    Exact,
    /// By its first digits.
    Average,
    /// An array as a set: the design does not preserve order and duplicates.
    Elements,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ComparisonResult {
    pub(crate) agrees: bool,
    /// Whether there were ties of the ORDER BY.
    pub(crate) ties: bool,
    /// Whether LIMIT cut through a tie.
    pub(crate) cut: bool,
}

impl AnswerComparer {
    /// A comparer for the results of a read.
    pub(crate) fn new(concept: &Concept, design: &Design, at: ReadId, read: &Read) -> Self {
        let compare_output = |output: &Output| match output.value {
            OutputValue::Average(_) => OutputComparison::Average,
            OutputValue::Column(column) if is_kept_as_elements(design, at, column) => {
                OutputComparison::Elements
            }
            _ => OutputComparison::Exact,
        };
        let outputs = compare_columns(concept, read.into(), &compare_output);
        Self { outputs, ordered: !read.order.is_empty() }
    }

    /// A comparer for the rows that a write returns.
    pub(crate) fn for_returning(concept: &Concept, returning: &Returning) -> Self {
        let outputs = compare_columns(concept, returning.into(), &|_| OutputComparison::Exact);
        Self { outputs, ordered: false }
    }

    /// Compares the expected rows (up to the end of the tie that the limit falls into)
    /// with the actual ones.
    pub(crate) fn compare(
        &self,
        expected: &[RankedRow],
        limit: Option<usize>,
        got: &[Vec<Datum>],
    ) -> ComparisonResult {
        let limit = limit.unwrap_or(usize::MAX);
        let count = expected.len().min(limit);
        let mut verdict =
            ComparisonResult { agrees: got.len() == count, ..ComparisonResult::default() };
        let mut rest = got;
        for tie in expected.chunk_by(|one, other| one.rank == other.rank) {
            let taken = tie.len().min(limit - (got.len() - rest.len()).min(limit));
            let (mine, behind) = rest.split_at(taken.min(rest.len()));
            rest = behind;
            verdict.ties |= self.ordered && tie.len() > 1;
            verdict.cut |= self.ordered && taken > 0 && taken < tie.len();
            verdict.agrees &= self.is_among(mine, tie);
        }
        verdict
    }

    /// Whether the rows are a sub-multiset of a tie.
    fn is_among(&self, rows: &[Vec<Datum>], tie: &[RankedRow]) -> bool {
        let mut there: BTreeMap<Vec<Datum>, usize> = BTreeMap::new();
        for row in tie {
            *there.entry(self.normalise_row(&row.values)).or_default() += 1;
        }
        rows.iter().all(|row| match there.get_mut(&self.normalise_row(row)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        })
    }

    /// A row in the form in which it is compared.
    fn normalise_row(&self, row: &[Datum]) -> Vec<Datum> {
        let values = row.iter().zip(&self.outputs).map(|(value, (ty, shown))| match shown {
            OutputComparison::Exact => normalise(ty, value.clone()),
            OutputComparison::Elements => {
                let element = element_type(ty)?;
                normalise_set(ty, element, value.as_deref()?)
            }
            OutputComparison::Average => Some(round_digits(ty, value.as_deref()?)),
        });
        values.collect()
    }
}

/// How each result is compared, with its type.
fn compare_columns(
    concept: &Concept,
    columns: ResultColumns<'_>,
    compare_output: &dyn Fn(&Output) -> OutputComparison,
) -> Vec<(Type, OutputComparison)> {
    let compare_result = |result: &ComputedOutput, ty: &Type| match &result.value {
        Expression::Column(at) => {
            columns.outputs.member(*at).map_or(OutputComparison::Exact, compare_output)
        }
        _ if *ty == Type::from(NativeType::Double) => OutputComparison::Average,
        _ => OutputComparison::Exact,
    };
    let outputs = columns.types(concept).into_iter().enumerate().map(|(at, ty)| {
        let shown = match (columns.computed.get(at), columns.outputs.get(at)) {
            (Some(result), _) => compare_result(result, &ty),
            (None, Some(output)) => compare_output(output),
            (None, None) => OutputComparison::Exact,
        };
        (ty, shown)
    });
    outputs.collect()
}

/// Whether an array of the read is looked up in a table of its elements.
fn is_kept_as_elements(design: &Design, at: ReadId, column: model::workload::Column) -> bool {
    design.tables.iter().any(|table| {
        table.serves.iter().any(|served| {
            served.read == at
                && served.part == ReadPart::Elements
                && served.column(column).is_some_and(|of| table.holds.elements.contains(&of))
        })
    })
}

/// The first digits of a number.
fn round_digits(ty: &Type, bytes: &[u8]) -> Vec<u8> {
    let number = match ty {
        Type::Native(NativeType::Double) => bytes.try_into().map(f64::from_be_bytes).ok(),
        _ => None,
    };
    number.map_or_else(
        || bytes.to_vec(),
        |number| {
            // Adding 0.0 removes the sign of a negative zero.
            format!("{:.*e}", AVERAGE_DIGITS, number + 0.0).into_bytes()
        },
    )
}
