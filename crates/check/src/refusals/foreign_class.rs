//! Classes that are not included in Cassandra: whether they exist can only be checked on its nodes.

use schema::refusal::{
    CompactionReason, CompressionReason, IndexReason, KeyspaceReason, Reason, TriggerReason,
};

use crate::rule::Finding;
use crate::{Confidence, Severity};

/// The class that a refusal does not find, if it is not one of Cassandra's.
pub(super) fn find(reason: &Reason) -> Option<&str> {
    let class = match reason {
        Reason::Compaction(CompactionReason::UnknownClass { class })
        | Reason::Compression(CompressionReason::UnknownClass { class })
        | Reason::Index(IndexReason::UnknownClass { class })
        | Reason::Keyspace(KeyspaceReason::UnknownStrategy { class }) => class,
        Reason::Trigger(TriggerReason::UnknownClass { class }) => return Some(class),
        _ => return None,
    };
    let is_own = ["org.apache.cassandra.", "java."].iter().any(|own| class.starts_with(own));
    (class.contains('.') && !is_own).then_some(class)
}

/// Turns a refusal into a finding of low severity: the class may exist on the nodes.
pub(super) fn soften(finding: &mut Finding, class: &str) {
    finding.severity = Severity::Low;
    finding.confidence = Confidence::Medium;
    finding.help = Some(format!(
        "make sure that every node has {class}, or use a class included in Cassandra"
    ));
}
