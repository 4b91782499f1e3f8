//! GR002: a server that does not warn about large partitions.

use crate::settings::server_bytes;
use crate::{Check, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("gr002_no_large_partition_warning.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let settings = project.settings;
    let is_set = |name: &str| server_bytes(settings, name).is_some_and(|bytes| bytes > 0.0);
    let sizes = ["partition_size_warn_threshold", "partition_size_fail_threshold"];
    // Without a configuration, the setting is unknown.
    if !settings.target.is_apache_from((5, 0))
        || settings.server.is_empty()
        || sizes.iter().any(|name| is_set(name))
    {
        return;
    }
    let Some(place) = project.report_start() else { return };
    reporter
        .report(place, "This server does not warn about large partitions.")
        .note("up to 4.1, partitions above 100 MiB were logged by default; in 5.0 the guardrail partition_size, which is not set, replaces that")
        .help("set partition_size_warn_threshold: 100MiB and partition_tombstones_warn_threshold: 100000 in cassandra.yaml");
}
