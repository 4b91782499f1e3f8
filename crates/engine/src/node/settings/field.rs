//! [`Field`]: how each setting that has an effect is parsed and printed.

use std::time::Duration;

use super::Settings;

/// The location of a setting, and its format.
pub(super) enum Field {
    /// A non-negative number.
    Count(fn(&mut Settings) -> &mut u64),
    /// A number of which -1 and 0 mean no limit.
    Limit(fn(&mut Settings) -> &mut i64),
    /// Bytes with a unit, such as `5KiB`; some old names omit the unit.
    Bytes(fn(&mut Settings) -> &mut u64),
    /// Bytes of an old name, in KiB without a unit.
    Kibibytes(fn(&mut Settings) -> &mut u64),
    /// Bytes of which -1 means no limit, printed as null.
    BytesLimit(fn(&mut Settings) -> &mut i64),
    /// A duration, shown in milliseconds.
    Milliseconds(fn(&mut Settings) -> &mut Duration),
    /// A duration of an old name, in milliseconds without a unit.
    PlainMilliseconds(fn(&mut Settings) -> &mut Duration),
    /// A duration, shown in seconds.
    Seconds(fn(&mut Settings) -> &mut Duration),
    /// `true` or `false`
    Flag(fn(&mut Settings) -> &mut bool),
    /// Words separated by commas.
    Words(fn(&mut Settings) -> &mut Vec<String>),
}

impl Field {
    /// Parses and sets a value; the error describes the expected format.
    pub(super) fn set(&self, settings: &mut Settings, value: &str) -> Result<(), &'static str> {
        match self {
            Self::Count(at) => {
                *at(settings) = value.parse().map_err(|_| "expected a number, 0 or more")?;
            }
            Self::Limit(at) => {
                *at(settings) =
                    value.parse().map_err(|_| "expected a number, or -1 for no limit")?;
            }
            Self::Bytes(at) => *at(settings) = parse_size(value).ok_or(SIZE)?,
            Self::Kibibytes(at) => {
                let number: u64 = value.parse().map_err(|_| "expected a number of KiB")?;
                *at(settings) = number.saturating_mul(1024);
            }
            Self::BytesLimit(at) => {
                let number = parse_size(value).and_then(|bytes| i64::try_from(bytes).ok());
                *at(settings) = if value == "null" { -1 } else { number.ok_or(SIZE)? };
            }
            Self::Milliseconds(at) | Self::Seconds(at) => {
                *at(settings) = parse_duration(value).ok_or(DURATION)?;
            }
            Self::PlainMilliseconds(at) => {
                let number = value.parse().map_err(|_| "expected a number of milliseconds")?;
                *at(settings) = Duration::from_millis(number);
            }
            Self::Flag(at) => {
                *at(settings) = value.parse().map_err(|_| "expected true or false")?;
            }
            Self::Words(at) => {
                let inside = value.trim_start_matches('[').trim_end_matches(']');
                let words = inside.split(',').map(str::trim).filter(|word| !word.is_empty());
                *at(settings) = words.map(ToOwned::to_owned).collect();
            }
        }
        Ok(())
    }

    /// The value as the server prints it.
    pub(super) fn get(&self, settings: &mut Settings) -> Option<String> {
        Some(match self {
            Self::Count(at) => at(settings).to_string(),
            Self::Limit(at) => at(settings).to_string(),
            Self::Bytes(at) => format_size(*at(settings)),
            Self::Kibibytes(at) => (*at(settings) / 1024).to_string(),
            Self::BytesLimit(at) => format_size(u64::try_from(*at(settings)).ok()?),
            Self::Milliseconds(at) => format!("{}ms", at(settings).as_millis()),
            Self::PlainMilliseconds(at) => at(settings).as_millis().to_string(),
            Self::Seconds(at) => format!("{}s", at(settings).as_secs()),
            Self::Flag(at) => at(settings).to_string(),
            Self::Words(at) => format!("[{}]", at(settings).join(", ")),
        })
    }
}

const SIZE: &str = "expected a size such as 5KiB (B, KiB, MiB, GiB)";
const UNITS: [(&str, u64); 4] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1)];

fn parse_size(value: &str) -> Option<u64> {
    let (number, factor) =
        UNITS.iter().find_map(|(unit, factor)| Some((value.strip_suffix(unit)?, factor)))?;
    number.trim().parse::<u64>().ok()?.checked_mul(*factor)
}

const DURATION: &str = "expected a duration such as 5000ms (ms, s, m, h, d)";
const DURATION_UNITS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

fn parse_duration(value: &str) -> Option<Duration> {
    let (number, factor) = DURATION_UNITS.iter().find_map(|(unit, factor)| {
        Some((value.strip_suffix(unit)?.trim().parse::<u64>().ok()?, factor))
    })?;
    number.checked_mul(*factor).map(Duration::from_millis)
}

fn format_size(bytes: u64) -> String {
    let fits = |factor: u64| bytes != 0 && bytes.is_multiple_of(factor);
    match bytes {
        _ if fits(1 << 20) => format!("{}MiB", bytes >> 20),
        _ if fits(1 << 10) => format!("{}KiB", bytes >> 10),
        _ => format!("{bytes}B"),
    }
}

/// The field of a name; `None` if the setting has no effect.
pub(super) fn find(name: &str) -> Option<Field> {
    find_threshold(name)
        .or_else(|| find_plain(name))
        .or_else(|| find_timeout(name))
        .or_else(|| find_transport(name))
        .or_else(|| find_guardrail(name))
}

fn find_timeout(name: &str) -> Option<Field> {
    use Field::{Milliseconds, PlainMilliseconds, Seconds};
    let (name, plain) = match name.strip_suffix("_in_ms") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let at: fn(&mut Settings) -> &mut Duration = match name {
        "read_request_timeout" => |all| &mut all.timeouts.read,
        "range_request_timeout" => |all| &mut all.timeouts.range,
        "write_request_timeout" => |all| &mut all.timeouts.write,
        "counter_write_request_timeout" => |all| &mut all.timeouts.counter_write,
        "cas_contention_timeout" => |all| &mut all.timeouts.conditional_write,
        "truncate_request_timeout" => |all| &mut all.timeouts.truncate,
        "slow_query_log_timeout" => |all| &mut all.timeouts.slow,
        "native_transport_timeout" => return Some(Seconds(|all| &mut all.timeouts.queue)),
        _ => return None,
    };
    Some(if plain { PlainMilliseconds(at) } else { Milliseconds(at) })
}

fn find_transport(name: &str) -> Option<Field> {
    use Field::{Bytes, BytesLimit, Count};
    Some(match name {
        "native_transport_max_threads" => Count(|all| &mut all.transport.max_threads),
        "native_transport_max_frame_size" => Bytes(|all| &mut all.transport.max_frame_size),
        "native_transport_max_request_data_in_flight" => {
            Bytes(|all| &mut all.transport.max_request_data_in_flight)
        }
        "native_transport_max_request_data_in_flight_per_ip" => {
            Bytes(|all| &mut all.transport.max_request_data_in_flight_per_ip)
        }
        "coordinator_read_size_fail_threshold" => {
            BytesLimit(|all| &mut all.transport.coordinator_read_size_fail_threshold)
        }
        _ => return None,
    })
}

fn find_plain(name: &str) -> Option<Field> {
    use Field::{Bytes, Count, Flag, Kibibytes};
    Some(match name {
        "tombstone_warn_threshold" => Count(|all| &mut all.tombstone_warn_threshold),
        "tombstone_failure_threshold" => Count(|all| &mut all.tombstone_failure_threshold),
        "batch_size_warn_threshold" => Bytes(|all| &mut all.batch_size_warn_threshold),
        "batch_size_fail_threshold" => Bytes(|all| &mut all.batch_size_fail_threshold),
        "batch_size_warn_threshold_in_kb" => Kibibytes(|all| &mut all.batch_size_warn_threshold),
        "batch_size_fail_threshold_in_kb" => Kibibytes(|all| &mut all.batch_size_fail_threshold),
        "unlogged_batch_across_partitions_warn_threshold" => {
            Count(|all| &mut all.unlogged_batch_across_partitions_warn_threshold)
        }
        "materialized_views_enabled" | "enable_materialized_views" => {
            Flag(|all| &mut all.materialized_views_enabled)
        }
        "sasi_indexes_enabled" | "enable_sasi_indexes" => Flag(|all| &mut all.sasi_indexes_enabled),
        "user_defined_functions_enabled" | "enable_user_defined_functions" => {
            Flag(|all| &mut all.user_defined_functions_enabled)
        }
        "drop_compact_storage_enabled" | "enable_drop_compact_storage" => {
            Flag(|all| &mut all.drop_compact_storage_enabled)
        }
        "dynamic_data_masking_enabled" => Flag(|all| &mut all.dynamic_data_masking_enabled),
        "use_statements_enabled" => Flag(|all| &mut all.use_statements_enabled),
        _ => return None,
    })
}

fn find_guardrail(name: &str) -> Option<Field> {
    use Field::{Flag, Words};
    Some(match name {
        "secondary_indexes_enabled" => Flag(|all| &mut all.guardrails.secondary_indexes_enabled),
        "user_timestamps_enabled" => Flag(|all| &mut all.guardrails.user_timestamps_enabled),
        "group_by_enabled" => Flag(|all| &mut all.guardrails.group_by_enabled),
        "alter_table_enabled" => Flag(|all| &mut all.guardrails.alter_table_enabled),
        "drop_truncate_table_enabled" => {
            Flag(|all| &mut all.guardrails.drop_truncate_table_enabled)
        }
        "drop_keyspace_enabled" => Flag(|all| &mut all.guardrails.drop_keyspace_enabled),
        "uncompressed_tables_enabled" => {
            Flag(|all| &mut all.guardrails.uncompressed_tables_enabled)
        }
        "compact_tables_enabled" => Flag(|all| &mut all.guardrails.compact_tables_enabled),
        "zero_ttl_on_twcs_enabled" => Flag(|all| &mut all.guardrails.zero_ttl_on_twcs_enabled),
        "zero_ttl_on_twcs_warned" => Flag(|all| &mut all.guardrails.zero_ttl_on_twcs_warned),
        "read_before_write_list_operations_enabled" => {
            Flag(|all| &mut all.guardrails.read_before_write_list_operations_enabled)
        }
        "allow_filtering_enabled" => Flag(|all| &mut all.guardrails.allow_filtering_enabled),
        "simplestrategy_enabled" => Flag(|all| &mut all.guardrails.simplestrategy_enabled),
        "vector_type_enabled" => Flag(|all| &mut all.guardrails.vector_type_enabled),
        "non_partition_restricted_index_query_enabled" => {
            Flag(|all| &mut all.guardrails.non_partition_restricted_index_query_enabled)
        }
        "table_properties_warned" => Words(|all| &mut all.guardrails.table_properties.warned),
        "table_properties_ignored" => Words(|all| &mut all.guardrails.table_properties.ignored),
        "table_properties_disallowed" => {
            Words(|all| &mut all.guardrails.table_properties.disallowed)
        }
        "read_consistency_levels_warned" => {
            Words(|all| &mut all.guardrails.read_consistency_levels.warned)
        }
        "read_consistency_levels_disallowed" => {
            Words(|all| &mut all.guardrails.read_consistency_levels.disallowed)
        }
        "write_consistency_levels_warned" => {
            Words(|all| &mut all.guardrails.write_consistency_levels.warned)
        }
        "write_consistency_levels_disallowed" => {
            Words(|all| &mut all.guardrails.write_consistency_levels.disallowed)
        }
        _ => return None,
    })
}

/// The two fields of a threshold.
macro_rules! pair {
    ($kind:ident, $ending:expr, $field:ident) => {
        match $ending {
            Ending::Warn => Field::$kind(|all| &mut all.guardrails.$field.warn),
            Ending::Fail => Field::$kind(|all| &mut all.guardrails.$field.fail),
        }
    };
}

#[derive(Clone, Copy)]
enum Ending {
    Warn,
    Fail,
}

fn find_threshold(name: &str) -> Option<Field> {
    let (name, ending) = match name.strip_suffix("_warn_threshold") {
        Some(name) => (name, Ending::Warn),
        None => (name.strip_suffix("_fail_threshold")?, Ending::Fail),
    };
    Some(match name {
        "keyspaces" => pair!(Limit, ending, keyspaces),
        "tables" => pair!(Limit, ending, tables),
        "columns_per_table" => pair!(Limit, ending, columns_per_table),
        "secondary_indexes_per_table" => pair!(Limit, ending, secondary_indexes_per_table),
        "materialized_views_per_table" => pair!(Limit, ending, materialized_views_per_table),
        "page_size" => pair!(Limit, ending, page_size),
        "partition_keys_in_select" => pair!(Limit, ending, partition_keys_in_select),
        "in_select_cartesian_product" => pair!(Limit, ending, in_select_cartesian_product),
        "items_per_collection" => pair!(Limit, ending, items_per_collection),
        "fields_per_udt" => pair!(Limit, ending, fields_per_udt),
        "vector_dimensions" => pair!(Limit, ending, vector_dimensions),
        "minimum_replication_factor" => pair!(Limit, ending, minimum_replication_factor),
        "maximum_replication_factor" => pair!(Limit, ending, maximum_replication_factor),
        "collection_size" => pair!(BytesLimit, ending, collection_size),
        "partition_size" => pair!(BytesLimit, ending, partition_size),
        "column_value_size" => pair!(BytesLimit, ending, column_value_size),
        _ => return None,
    })
}
