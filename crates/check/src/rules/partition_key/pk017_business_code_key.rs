//! PK017: a short business code as the identity.

use cql::types::NativeType;
use model::figures;

use crate::vocabulary::ids::is_id;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::types::native_type;
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const BYTES: Limit = Limit::new("short-code-bytes", 8.0)
    .describe("size in bytes up to which a code is likely to outgrow its format");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk017_business_code_key.md"), Check::Table(check))
        .with_limits(&[BYTES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    /// Codes that are standardised and maintained elsewhere.
    const STANDARDS: &[&str] = &[
        "country_code",
        "currency_code",
        "language_code",
        "iso*",
        "zip_code",
        "postal_code",
        "airport_code",
        "area_code",
    ];
    let table = &facts.table;
    let [column] = table.partition_key() else { return };
    let is_text = matches!(native_type(&column.ty), Some(NativeType::Text | NativeType::Ascii));
    let bytes = facts.volume.bytes(0);
    // An id of a few letters is a code, whatever it is called.
    let is_code = matches_any(&column.name, &["*_code", "code", "*_number", "sku", "*_sku"])
        || bytes.is_some() && is_id(column);
    let is_long = bytes.is_some_and(|bytes| bytes > reporter.limit(&BYTES));
    if !is_text || !is_code || is_long {
        return;
    }
    // A table that finds an id by the code is what is advised.
    let is_lookup = table.regulars().iter().any(is_id);
    if table.is_view || is_lookup || matches_any(&column.name, STANDARDS) {
        return;
    }
    let finding = reporter
        .report(
            project.key_location(facts, &column.name),
            format!("The key of {1} is the business code `{0}`.", column.name, table.name),
        )
        .with_column(table, column)
        .help("use a uuid as the key, and look it up by the code in a separate table");
    if let Some(bytes) = bytes {
        finding.note(format!("{} long", figures::format_bytes(bytes)));
    }
}
