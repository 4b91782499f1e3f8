//! Settings of the server, as `cassandra.yaml` writes them.

use crate::Settings;

/// A size among the settings of the server, in bytes: `5KiB`, `100MiB`. `None` where it is not set.
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

/// A length of time among the settings of the server, in seconds: `3h`, `10800s`, `500ms`; before 4.1 in milliseconds, under the name with
/// `_in_ms`. `None` where it is not set.
pub fn server_seconds(settings: &Settings, name: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 5] =
        [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];
    if let Some(text) = settings.server.get(name) {
        let text = text.trim();
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = text.get(digits.len()..).unwrap_or_default();
        let factor = UNITS.iter().find(|(known, _)| *known == unit).map(|(_, seconds)| seconds)?;
        return Some(digits.trim().parse::<f64>().ok()? * factor);
    }
    let millis = settings.server.get(&format!("{name}_in_ms"))?;
    Some(millis.trim().parse::<f64>().ok()? / 1_000.0)
}

/// A list among the settings of the server: `[a, b]`, `a, b`; empty where it is not set.
pub fn server_list(settings: &Settings, name: &str) -> Vec<String> {
    let text = settings.server.get(name).map_or("", |text| text.trim());
    let inside = text.trim_matches(['[', ']', '{', '}']);
    let words = inside.split([',', ' ']).map(|word| word.trim_matches(['"', '\'']));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
