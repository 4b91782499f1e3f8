//! CO011: collections of blobs.

use cql::types::{NativeType, Type};

use crate::facts::tables::is_registry;
use crate::remedies::child_table;
use crate::vocabulary::payloads::is_digest_name;
use crate::vocabulary::types::element_type;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, TableFacts};

const SMALL: Limit = Limit::new("collection-blob-bytes", 1_000.0)
    .describe("size in bytes up to which blobs in a collection are not reported");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co011_blob_collection.md"), Check::Table(check))
        .with_limits(&[SMALL]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() || is_registry(facts) {
        return;
    }
    for (at, column) in table.columns().iter().enumerate() {
        let is_blobs = element_type(&column.ty) == Some(&Type::Native(NativeType::Blob));
        if !is_blobs || column.is_primary_key() || is_digest_name(&column.name) {
            continue;
        }
        let (bytes, name) = (facts.volume.bytes(at), &column.name);
        if bytes.is_some_and(|bytes| bytes <= reporter.limit(&SMALL)) {
            continue;
        }
        let confidence = if bytes.is_some() { Confidence::High } else { Confidence::Low };
        let finding = reporter.report(
            project.type_location(facts, name),
            format!("Every read of `{name}` reads the whole collection of large values."),
        );
        finding.with_column(table, column).confidence(confidence);
        if let Some(child) = child_table(table, column) {
            finding.help(format!(
                "store each value as a row, or declare its size with `@bytes`:\n{child}"
            ));
        }
    }
}
