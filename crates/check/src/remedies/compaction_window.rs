//! The windows of a time window compaction.

/// The size and the unit of the windows that what lives so long should have: about 25 of them.
pub(crate) fn window_for_ttl(ttl: f64) -> (String, &'static str) {
    const UNITS: [(f64, &str); 3] = [(86_400.0, "DAYS"), (3_600.0, "HOURS"), (60.0, "MINUTES")];
    let wanted = ttl / 25.0;
    // The largest unit that hits the number well enough.
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| wanted >= *unit).unwrap_or(UNITS[2]);
    ((wanted / unit).round().max(1.0).to_string(), name)
}
