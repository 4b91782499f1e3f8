//! Widths of the ranges by which a growing integer is bucketed: round numbers, which people can
//! compute with.

use cql::types::{NativeType, Type};
use model::plan::{Bucket, PlannedTable};
use model::workload::Column;

use super::{columns, is_over_limit};
use crate::{Context, volume};

/// The leading digits of round widths.
pub(crate) const ROUND_DIGITS: [u64; 3] = [1, 2, 5];

/// The widest range, of powers of ten times one of these digits, whose rows stay within the limits
/// in a table that is not split yet.
pub(crate) fn widest_range(
    context: Context<'_>,
    table: &PlannedTable,
    of: Column,
    digits: &[u64],
) -> u64 {
    let most = widest_of_type(context, table, of);
    let fits = |width: &u64| {
        let parted = columns::with_bucket(context, table, of, Bucket::Range(*width));
        *width <= most
            && !is_over_limit(context, &parted, &volume::estimate_volume(context, &parted))
    };
    round_widths(digits).take_while(fits).last().unwrap_or(1)
}

/// Powers of ten times these digits, in ascending order.
fn round_widths(digits: &[u64]) -> impl Iterator<Item = u64> {
    let powers = (0..18).map(|exponent| 10_u64.pow(exponent));
    powers.flat_map(|power| digits.iter().map(move |digit| digit * power))
}

/// The next narrower round width.
pub(crate) fn narrower_range(width: u64) -> Option<u64> {
    round_widths(&ROUND_DIGITS).take_while(|other| *other < width).last()
}

/// No range is wider than the values of its type.
fn widest_of_type(context: Context<'_>, table: &PlannedTable, of: Column) -> u64 {
    let attribute = volume::attribute(context.concept, table, of);
    let is_int = attribute.is_some_and(|found| found.ty == Type::Native(NativeType::Int));
    if is_int { 1_000_000_000 } else { 100_000_000_000_000_000 }
}
