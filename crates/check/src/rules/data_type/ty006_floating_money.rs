//! TY006: money in floating point.

use cql::types::NativeType;

use crate::vocabulary::quantities::is_money_name;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty006_floating_money.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    for column in table.columns() {
        let Some(ty @ (NativeType::Float | NativeType::Double)) = native_type(&column.ty) else {
            continue;
        };
        if !is_money_name(&column.name) {
            continue;
        }
        let name = &column.name;
        let place = project.type_location(facts, name);
        let finding = reporter.report(
            place,
            format!("`{name}` stores money as {}, which is subject to rounding.", ty.name()),
        );
        finding
            .with_column(table, column)
            .confidence(Confidence::Medium)
            .help("declare it as decimal, or store the smallest unit as bigint");
        // Where the column is not defined in CREATE TABLE the place is the table's name.
        if project.text_at(place).eq_ignore_ascii_case(ty.name()) {
            finding.fix(FixKind::Unsafe, "decimal", place, "decimal");
        }
    }
}
