//! TO003: a table without compression.

use cql::types::NativeType;

use crate::vocabulary::types::native_type;
use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to003_compression_off.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let off = table.params.compression.get("enabled").is_some_and(|enabled| &**enabled == "false");
    // Blobs are often compressed or encrypted already.
    let has_blob =
        table.regulars().iter().any(|column| native_type(&column.ty) == Some(NativeType::Blob));
    if !off || has_blob || table.is_view {
        return;
    }
    let place = project.option_location(facts, "compression");
    let finding = reporter.report(place, format!("{} is not compressed.", table.name));
    finding.with_table(table).help("set compression = {'class': 'LZ4Compressor'}");
    if project.has_option(facts, "compression") {
        finding.fix(
            FixKind::Unsafe,
            "compress with LZ4",
            place,
            "compression = {'class': 'LZ4Compressor'}",
        );
    }
}
