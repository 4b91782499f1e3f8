//! Names of amounts and counts.

use cql::types::NativeType;
use schema::catalog::Column;

use super::matcher::{has_word, matches_any};
use super::types::native_type;

/// Amounts of money.
const MONEY_WORDS: &[&str] = &[
    "price", "prices", "amount", "cost", "costs", "balance", "salary", "fee", "fees", "revenue",
    "payment", "fare", "rent", "debit", "credit", "wage", "tax", "vat", "subtotal",
];

/// Sums that are money; other totals are counts.
const TOTAL_PATTERNS: &[&str] = &["total", "order_total", "invoice_total", "grand_total"];

/// Stock, quotas, limits, distinct visitors, references: what must be counted exactly.
const EXACT_COUNT_WORDS: &[&str] = &[
    "stock",
    "inventory",
    "quota",
    "quotas",
    "limit",
    "limits",
    "attempts",
    "attempt",
    "remaining",
    "available",
    "availability",
    "seats",
    "tickets",
    "credit",
    "credits",
    "unique",
    "uniques",
    "distinct",
    "ledger",
    "budget",
    "allowance",
    "ref",
    "refs",
    "refcount",
    "references",
];

/// What is counted.
const COUNT_WORDS: &[&str] =
    &["count", "counter", "counts", "views", "likes", "hits", "visits", "clicks", "downloads"];

/// Numbers of something.
const COUNT_PATTERNS: &[&str] = &["num_*", "total_*", "*_total"];

/// Whether a name says that it is an amount of money.
pub(crate) fn is_money_name(name: &str) -> bool {
    has_word(name, MONEY_WORDS) || matches_any(name, TOTAL_PATTERNS)
}

/// Whether a count of that name must be exact: stock, quotas, limits, money, distinct visitors.
pub(crate) fn is_exact_count_name(name: &str) -> bool {
    is_money_name(name) || has_word(name, EXACT_COUNT_WORDS)
}

/// Whether a column counts something: a whole number, by its name.
pub(crate) fn is_count(column: &Column) -> bool {
    use NativeType::{Bigint, Int, Varint};
    matches!(native_type(&column.ty), Some(Bigint | Int | Varint))
        && (has_word(&column.name, COUNT_WORDS) || matches_any(&column.name, COUNT_PATTERNS))
}

/// Columns that name what was measured, beside a column with its value.
const QUANTITY_NAMES: &[&str] = &[
    "metric",
    "metric_name",
    "test",
    "test_name",
    "parameter",
    "parameter_name",
    "attribute",
    "attribute_name",
    "property",
    "property_name",
    "measure",
    "measure_name",
    "field",
    "field_name",
    "variable",
    "variable_name",
    "signal",
    "signal_name",
    "indicator",
    "indicator_name",
];

/// Columns with the value of what another column names.
const MEASURED_VALUES: &[&str] =
    &["value", "*_value", "result", "*_result", "reading", "measurement"];

/// Whether a column names what was measured.
pub(crate) fn is_quantity_name(column: &str) -> bool {
    matches_any(column, QUANTITY_NAMES)
}

/// Whether a column has the value of what another column names.
pub(crate) fn is_measured_value(column: &str) -> bool {
    matches_any(column, MEASURED_VALUES)
}
