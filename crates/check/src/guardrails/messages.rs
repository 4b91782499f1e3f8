//! The server's messages, verbatim.

use super::{Guardrail, GuardrailKind, Measurement, Thresholds, Violation};

const ALLOW_FILTERING: &str = "ALLOW FILTERING can potentially visit all the data in the table and have unpredictable performance.";
const LARGE: &str = "Too large partitions can cause performance problems.";
const NO_TTL: &str = "It is suspicious to use default_time_to_live set to 0 with such compaction strategy. Please keep in mind that data will not start to automatically expire after they are older than a respective compaction window unit of a certain size. Please set TTL for your INSERT or UPDATE statements if you expect data to be expired as table settings will not do it. ";
const INTERSECTION: &str = "Filtering queries involving an intersection on multiple mutable (i.e. non-key) columns over unrepaired data at read consistency levels that would require coordinator reconciliation may violate the guarantees of those consistency levels.";
const SCATTERED: &str = "Executing a query on secondary indexes without partition key restriction might degrade performance";

/// The server's message for a measurement.
pub(super) fn message(
    guardrail: &Guardrail,
    measure: &Measurement,
    bounds: Thresholds,
    verdict: Violation,
) -> String {
    let said = match guardrail.kind {
        GuardrailKind::Switch(_) => {
            let end = if verdict == Violation::Fails { "allowed" } else { "recommended" };
            format!("{} is not {end}", measure.what)
        }
        _ => threshold_message(guardrail.name, measure, bounds, verdict),
    };
    let reason = match guardrail.name {
        "allow_filtering" => ALLOW_FILTERING,
        "partition_size" => LARGE,
        "zero_ttl_on_twcs" => NO_TTL.trim_end(),
        "intersect_filtering_query" => INTERSECTION,
        "non_partition_restricted_index_query_enabled" => SCATTERED,
        _ => "",
    };
    let said = format!("Guardrail {} violated: {said}", guardrail.name);
    match (reason, said.ends_with('.')) {
        ("", _) => said,
        (_, true) => format!("{said} {reason}"),
        (_, false) => format!("{said}. {reason}"),
    }
}

/// The server's message for a number.
fn threshold_message(
    name: &str,
    measure: &Measurement,
    bounds: Thresholds,
    verdict: Violation,
) -> String {
    let (what, value) = (&measure.what, measure.value.round());
    let (bound, word) = match verdict {
        Violation::Fails => (bounds.fail, "failure"),
        Violation::Warns => (bounds.warn, "warning"),
    };
    let exceeds = format!("this exceeds the {word} threshold of {bound}.");
    match name {
        "partition_size" => format!("Partition {what} has size {value}, {exceeds}"),
        "collection_size" => format!("Detected collection {what} of size {value}, {exceeds}"),
        "items_per_collection" => {
            format!("Detected collection {what} with {value} items, {exceeds}")
        }
        "vector_dimensions" => format!("{what} has a vector of {value} dimensions, {exceeds}"),
        "minimum_replication_factor" | "maximum_replication_factor" => {
            let side = if name.starts_with("min") { "below" } else { "above" };
            format!(
                "The keyspace {what} has a replication factor of {value}, {side} the {word} threshold of {bound}."
            )
        }
        _ if verdict == Violation::Fails => failure_message(name, what, value, bound),
        _ => warning_message(name, what, value, bound),
    }
}

/// The texts that are not the same for a warning.
fn failure_message(name: &str, what: &str, value: f64, bound: f64) -> String {
    let none_but = |things: &str| {
        format!("Tables cannot have more than {bound} {things}, aborting the creation of")
    };
    match name {
        "keyspaces" => {
            format!(
                "Cannot have more than {bound} keyspaces, aborting the creation of keyspace {what}"
            )
        }
        "tables" => {
            format!("Cannot have more than {bound} tables, aborting the creation of table {what}")
        }
        "secondary_indexes_per_table" => {
            format!("{} secondary index {what}", none_but("secondary indexes"))
        }
        "materialized_views_per_table" => {
            format!("{} materialized view {what}", none_but("materialized views"))
        }
        "columns_per_table" => {
            format!(
                "Tables cannot have more than {bound} columns, but {value} provided for table {what}"
            )
        }
        "fields_per_udt" => {
            format!(
                "User types cannot have more than {bound} columns, but {value} provided for user type {what}."
            )
        }
        "partition_keys_in_select" => format!(
            "Aborting query with partition keys in IN clause on table {what}, number of partition keys {value} exceeds fail threshold of {bound}."
        ),
        "in_select_cartesian_product" => format!(
            "Aborting query because the cartesian product of the IN restrictions on {what} produces {value} values, this exceeds fail threshold of {bound}."
        ),
        _ => format!(
            "Value of column '{what}' has size {value}, this exceeds the failure threshold of {bound}."
        ),
    }
}

/// The texts of warnings.
fn warning_message(name: &str, what: &str, value: f64, bound: f64) -> String {
    let creating = |thing: &str, things: &str| {
        format!(
            "Creating {thing} {what}, current number of {things} {value} exceeds warning threshold of {bound}."
        )
    };
    match name {
        "keyspaces" => creating("keyspace", "keyspaces"),
        "tables" => creating("table", "tables"),
        "secondary_indexes_per_table" => creating("secondary index", "indexes"),
        "materialized_views_per_table" => creating("materialized view", "views"),
        "columns_per_table" => {
            format!(
                "The table {what} has {value} columns, this exceeds the warning threshold of {bound}."
            )
        }
        "fields_per_udt" => {
            format!(
                "The user type {what} has {value} columns, this exceeds the warning threshold of {bound}."
            )
        }
        "partition_keys_in_select" => format!(
            "Query with partition keys in IN clause on table {what}, with number of partition keys {value} exceeds warning threshold of {bound}."
        ),
        "in_select_cartesian_product" => format!(
            "The cartesian product of the IN restrictions on {what} produces {value} values, this exceeds warning threshold of {bound}."
        ),
        _ => format!(
            "Value of column '{what}' has size {value}, this exceeds the warning threshold of {bound}."
        ),
    }
}

/// The server's message for a list of values.
pub(super) fn values_message(
    measure: &Measurement,
    end: &str,
    hit: &[&String],
    listed: &[String],
) -> String {
    let mut hit: Vec<&str> = hit.iter().map(|one| one.as_str()).collect();
    hit.sort_unstable();
    let (hit, listed, what) = (hit.join(", "), listed.join(", "), &measure.what);
    let said = match end {
        "disallowed" => {
            format!(
                "Provided values [{hit}] are not allowed for {what} (disallowed values are: [{listed}])"
            )
        }
        "ignored" => format!(
            "Ignoring provided values [{hit}] as they are not supported for {what} (ignored values are: [{listed}])"
        ),
        _ => format!(
            "Provided values [{hit}] are not recommended for {what} (warned values are: [{listed}])"
        ),
    };
    format!("Guardrail {} violated: {said}", measure.guardrail)
}
