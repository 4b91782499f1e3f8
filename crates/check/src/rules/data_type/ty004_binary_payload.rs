//! TY004: files in rows.

use cql::types::NativeType;
use model::figures;

use crate::vocabulary::payloads::{is_digest_name, is_file_name};
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, TableFacts};

const SMALL: Limit = Limit::new("payload-bytes", 10_000.0)
    .describe("size in bytes up to which a file may be stored in a row");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty004_binary_payload.md"), Check::Table(check))
        .with_limits(&[SMALL]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    for (at, column) in table.columns().iter().enumerate() {
        let name = &column.name;
        let is_file = native_type(&column.ty) == Some(NativeType::Blob)
            && !column.is_primary_key()
            && is_file_name(name)
            && !is_digest_name(name);
        let bytes = facts.volume.bytes(at);
        if !is_file || bytes.is_some_and(|bytes| bytes <= reporter.limit(&SMALL)) {
            continue;
        }
        let finding = reporter.report(
            project.type_location(facts, name),
            format!("Binary content is stored in a row: `{name}`."),
        );
        finding
            .with_column(table, column)
            .confidence(if bytes.is_some() { Confidence::High } else { Confidence::Medium })
            .help(format!(
                "store the file in an object store and its address here: {name}_url text"
            ));
        if let Some(bytes) = bytes {
            finding.note(format!("{} each", figures::format_bytes(bytes)));
        }
    }
}
