//! BA003: a batch of too many bytes.

use crate::facts::workload::batch_work;
use crate::settings::server_bytes;
use crate::{
    Check, Confidence, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba003_batch_bytes.md"), Check::Statement(check));

const KIB: f64 = 1024.0;

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(work) = batch_work(project, seen) else { return };
    // The server does not measure a batch that is a single mutation.
    if work.partitions < 2 || work.plan.conditional {
        return;
    }
    let (warn, fail) = thresholds(project);
    if work.bytes <= warn {
        return;
    }
    let Some(table) = work.plan.tables.first() else { return };
    let fails = work.bytes > fail;
    let severity = match (fails, work.bytes_are_known) {
        (true, true) => Severity::Error,
        (true, false) => Severity::High,
        (false, _) => Severity::Medium,
    };
    let kib = work.bytes / KIB;
    let message = if fails {
        format!(
            "The batch has about {kib:.0} KiB; the server rejects batches above {:.0} KiB.",
            fail / KIB
        )
    } else {
        format!("The batch has about {kib:.0} KiB; the server warns above {:.0} KiB.", warn / KIB)
    };
    let confidence = if work.bytes_are_known { Confidence::High } else { Confidence::Low };
    reporter
        .report(seen.place, message)
        .with_table(table)
        .severity(severity)
        .confidence(confidence)
        .note(format!(
            "{} statements over {} partitions, {:.0} bytes each on average",
            work.plan.statements.len(),
            work.partitions,
            work.bytes
                / f64::from(u32::try_from(work.plan.statements.len()).unwrap_or(u32::MAX).max(1))
        ))
        .help("split the batch by partition, and send the parts asynchronously");
}

/// The sizes in bytes at which the server warns and rejects.
fn thresholds(project: &Project<'_>) -> (f64, f64) {
    let (warn, fail) = match project.settings.target.product {
        Product::Apache | Product::Astra | Product::Keyspaces => (5.0, 50.0),
        Product::Dse => (64.0, 640.0),
        Product::Scylla => (128.0, 1024.0),
    };
    let set = |name: &str, usual: f64| server_bytes(project.settings, name).unwrap_or(usual * KIB);
    (set("batch_size_warn_threshold", warn), set("batch_size_fail_threshold", fail))
}
