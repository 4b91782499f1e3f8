//! PS001: partitions that grow without limit.

use model::figures;

use super::bucket_too_coarse::bucket_for;
use super::partition_bytes::{HUGE, LARGE, bytes_at_most, consequence};
use crate::facts::{grows, partition_size};
use crate::project::{NewKey, Until};
use crate::{Asks, Category, Check, Confidence, Found, Project, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "PS001",
    name: "unbounded-partition",
    category: Category::PartitionSize,
    severity: Severity::Critical,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[LARGE, HUGE],
    check: Check::Table(check),
    page: include_str!("unbounded_partition.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let table = &facts.table;
    let Some(growth) = grows(project, facts).filter(|_| facts.view.is_none()) else { return };
    let size = partition_size(facts).filter(|size| matches!(size.until, Until::Never(_)));
    let most = bytes_at_most(project, found);
    // What stays small for five years may be left to its time.
    if size.is_some_and(|size| size.large_bytes <= most) {
        return;
    }
    let severity = match (growth.confidence, size) {
        (_, Some(size)) if size.large_bytes <= found.limit(&HUGE) => Severity::High,
        (Confidence::High, _) => Severity::Critical,
        (Confidence::Medium | Confidence::Low, _) => Severity::High,
    };
    let names: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
    let message = format!(
        "Partitions of {} grow without limit: `{}` never rolls over.",
        table.name,
        names.join(", ")
    );
    let Some(first) = table.partition_key().first() else { return };
    let bucket = bucket_for(project, found, facts);
    let key = NewKey::of(table).with_new_partition_column(table, bucket.name, bucket.ty);
    let help = format!(
        "add a time bucket to the key, {}, and read the buckets that a query needs; or let rows expire (default_time_to_live)",
        key.text()
    );
    let finding = found
        .at(project.key_place(facts, &first.name), message)
        .of_column(table, first)
        .severity(severity)
        .confidence(growth.confidence)
        .note(format!("every new `{}` is a new row", growth.column.name))
        .help(help)
        .with_fix(project.rekeyed(facts, &key, "split partitions by time"));
    let Some(size) = size else { return };
    finding.notes.extend(size.notes(facts));
    if let Some(seconds) = size.seconds_to(&facts.volume, most) {
        let time = figures::duration(seconds);
        finding.note(format!("{} are crossed after {time}", figures::bytes(most)));
    }
    finding.notes.extend(bucket.sizes);
    finding.notes.extend(consequence(size.large_bytes));
}
