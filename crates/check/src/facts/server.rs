//! Settings of the server, as `cassandra.yaml` writes them.

use crate::Settings;

/// A size among the settings of the server, in bytes: `5KiB`, `100MiB`; a bare number where the name ends in `_in_kb` and the like is left
/// to its reader. `None` where it is not set.
pub fn server_bytes(settings: &Settings, name: &str) -> Option<f64> {
    let text = settings.server.get(name)?.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let factor = match unit {
        "" | "B" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let number: f64 = digits.trim().parse().ok()?;
    (number >= 0.0).then_some(number * factor)
}
