//! The ranges of options.

use super::super::properties::Properties;
use super::compaction;
use crate::Result;
use crate::catalog::TableParams;
use crate::java::number::double_text;
use crate::refusal::{OptionReason, refuse};

/// The minimum false positive rate of a Bloom filter.
const BLOOM_FILTER_MIN: f64 = 6.71e-5;
/// Twenty years, in seconds.
const TTL_MAX: i32 = 20 * 365 * 24 * 60 * 60;

/// Checks the options of a statement together with the defaults of those it does not set.
pub(super) fn check(properties: &Properties<'_>, params: &TableParams) -> Result<()> {
    let fail = |name: &str, reason: OptionReason| refuse(reason, properties.span_of(name));
    compaction::check(&params.compaction, properties.span_of("compaction"))?;
    let bloom = params.bloom_filter_fp_chance;
    if bloom <= BLOOM_FILTER_MIN || bloom > 1.0 {
        let (least, got) = (double_text(BLOOM_FILTER_MIN), double_text(bloom));
        return fail("bloom_filter_fp_chance", OptionReason::BloomFilter { least, got });
    }
    let crc = params.crc_check_chance;
    if !crc.is_nan() && !(0.0..=1.0).contains(&crc) {
        return fail("crc_check_chance", OptionReason::CrcCheck { got: double_text(crc) });
    }
    let at_least = |name: &'static str, least: i32, got: i32| {
        if got < least { fail(name, OptionReason::AtLeast { name, least, got }) } else { Ok(()) }
    };
    let ttl = params.default_time_to_live;
    at_least("default_time_to_live", 0, ttl)?;
    if ttl > TTL_MAX {
        let reason = OptionReason::TtlTooLarge { most: TTL_MAX, got: ttl };
        return fail("default_time_to_live", reason);
    }
    at_least("gc_grace_seconds", 0, params.gc_grace_seconds)?;
    at_least("min_index_interval", 1, params.min_index_interval)?;
    let (least, most) = (params.min_index_interval, params.max_index_interval);
    if most < least {
        return fail("max_index_interval", OptionReason::IndexIntervals { least, most });
    }
    at_least("memtable_flush_period_in_ms", 0, params.memtable_flush_period_in_ms)
}
