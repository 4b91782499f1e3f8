//! Classes that do not come with the server: only its nodes know whether they are there.

use schema::Reason;

use crate::rule::Finding;
use crate::{Confidence, Severity};

/// The class that a refusal does not find, if it is none of the server's own.
pub(super) fn class(reason: &Reason) -> Option<String> {
    let message = reason.to_string();
    let quoted = || message.split('\'').nth(1);
    let class = match reason.rule() {
        "SV018" | "SV023" | "SV024" if message.starts_with("Unable to find ") => quoted()?,
        "SV019" => message.strip_prefix("Could not create Compression for type ")?,
        "SV036" if message.starts_with("Trigger class ") => return quoted().map(str::to_owned),
        _ => return None,
    };
    let is_own = ["org.apache.cassandra.", "java."].iter().any(|own| class.starts_with(own));
    (class.contains('.') && !is_own).then(|| class.to_owned())
}

/// Makes a refusal what it is then: something to make sure of.
pub(super) fn soften(finding: &mut Finding, class: &str) {
    finding.severity = Severity::Low;
    finding.confidence = Confidence::Medium;
    finding.help =
        Some(format!("make sure that every node has {class}, or use what comes with the server"));
}
