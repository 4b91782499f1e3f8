//! The limits of the rules, and the figures that several of them need.

/// A partition is large from here on: reads slow down (stage 1).
pub(super) const PARTITION_BYTES: f64 = 100e6;
/// Compaction and repair of such a partition fail (stages 3 and 4).
pub(super) const PARTITION_BYTES_CRITICAL: f64 = 1e9;
/// Tombstones of one read from which the server warns.
pub(super) const TOMBSTONES_WARN: f64 = 1_000.0;
/// Tombstones of one read at which the server gives up.
pub(super) const TOMBSTONES_FAIL: f64 = 100_000.0;
/// Tombstones of one read below which a table is healthy, whatever its statements.
pub(super) const TOMBSTONES_HEALTHY: f64 = 100.0;
/// Partitions of a table up to which reading all of them costs little.
pub(super) const SMALL_TABLE_PARTITIONS: u64 = 10_000;
/// The share of droppable tombstones above which the server compacts a table for them alone.
pub(super) const DROPPABLE_RATIO: f64 = 0.2;

/// The value of a setting that limits something: `None` if it is not set or switched off.
pub(super) fn parse_limit(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().ok()?;
    let factor = match unit.trim() {
        "" | "B" | "ms" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        "s" => 1_000.0,
        "m" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return None,
    };
    (number > 0.0).then_some(number * factor)
}
