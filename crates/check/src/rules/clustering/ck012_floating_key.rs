//! CK012: floating numbers in a key.

use cql::types::NativeType;
use schema::catalog::ColumnKind;

use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck012_floating_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.is_view {
        return;
    }
    for column in table.primary_key() {
        let why = match native_type(&column.ty) {
            Some(NativeType::Float | NativeType::Double) => {
                "two computations of the same number may differ in the last bit"
            }
            // As clustering columns decimals compare by value.
            Some(NativeType::Decimal) if column.kind == ColumnKind::Partition => {
                "1.0 and 1.00 are different partitions"
            }
            _ => continue,
        };
        let instead = if is_time(column) {
            "use a timestamp, or a bigint with microseconds"
        } else {
            "use an integer with the smallest unit"
        };
        reporter
            .report(
                project.type_location(facts, &column.name),
                format!("Equality of `{}` is unreliable: {why}.", column.name),
            )
            .with_column(table, column)
            .confidence(Confidence::Medium)
            .help(instead);
    }
}
