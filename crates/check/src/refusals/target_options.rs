//! What the target accepts though Apache Cassandra 5.0 refuses it.

use schema::refusal::{OptionReason, Reason};

use crate::vocabulary::vendors::{REMOVED_IN_4, option_vendor};
use crate::{Product, Target};

/// Whether the target accepts an option or a list that Apache Cassandra 5.0 refuses; `written` is what it refuses.
pub(super) fn is_accepted_by_target(target: Target, reason: &Reason, written: &str) -> bool {
    let rule = reason.rule();
    let is_unknown = matches!(reason, Reason::Option(OptionReason::Unknown { .. }));
    let is_twice = rule == "SV016" && !is_unknown;
    if target.is_apache_from((5, 0)) || is_twice {
        return false;
    }
    let name = written.split('=').next().unwrap_or_default().trim().to_lowercase();
    let name = name.trim_matches('"');
    match rule {
        "SV016" if REMOVED_IN_4.contains(&name) => !target.is_apache_from((4, 0)),
        "SV016" => match option_vendor(name) {
            // Astra says that it ignores what it does not know.
            Some(vendor) => vendor == target.product || target.product == Product::Astra,
            None => target.product == Product::Astra,
        },
        // The forks' own storage-attached indexes may answer lists of values.
        "QV034" => matches!(target.product, Product::Astra | Product::Dse),
        "SV017" => target.product == Product::Scylla && name == "cdc",
        "SV018" if written.contains("NullCompactionStrategy") => target.product == Product::Scylla,
        "SV018" => written.contains("DateTieredCompactionStrategy"),
        "SV019" => written.contains("sstable_compression") || written.contains("chunk_length_kb"),
        _ => false,
    }
}
