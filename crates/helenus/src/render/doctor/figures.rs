//! Figures of findings as texts.

use crate::calendar::Date;
use crate::diagnosis::{FigureEntry, FindingEntry};

/// `largest partition 151 MB (limit 100 MB)`
pub(super) fn describe_figure(figure: &FigureEntry) -> String {
    let value = match (&figure.word, figure.value) {
        (Some(word), _) => word.clone(),
        (None, Some(value)) => format_amount(value, &figure.unit),
        (None, None) => "unknown".to_owned(),
    };
    match figure.limit {
        Some(limit) => {
            format!("{} {value} (limit {})", figure.what, format_amount(limit, &figure.unit))
        }
        None => format!("{} {value}", figure.what),
    }
}

/// All figures of a finding, with its key and nodes.
pub(super) fn describe_evidence(finding: &FindingEntry) -> String {
    let mut parts: Vec<String> = finding.evidence.iter().map(describe_figure).collect();
    parts.extend(finding.key.as_ref().map(|key| format!("key {key}")));
    let nodes: Vec<&str> =
        finding.nodes.iter().map(String::as_str).filter(|node| !node.is_empty()).collect();
    match *nodes.as_slice() {
        [] => {}
        [first, _, _, _, ..] => parts.push(format!("on {first} and {} more", nodes.len() - 1)),
        _ => parts.push(format!("on {}", nodes.join(", "))),
    }
    parts.join(", ")
}

/// A number with its unit.
pub(super) fn format_amount(value: f64, unit: &str) -> String {
    match unit {
        "bytes" => format_bytes(value),
        "ms" if value >= 10_000.0 => format!("{:.1} s", value / 1_000.0),
        "ms" if value >= 10.0 => format!("{value:.0} ms"),
        "ms" => format!("{value:.1} ms"),
        "s" => format_seconds(value),
        "percent" => format!("{value:.0} %"),
        "times" => format!("{} times", format_count(value)),
        "ms since 1970" => format_date(value),
        _ => format_count(value),
    }
}

/// The day of a moment in milliseconds since 1970.
fn format_date(value: f64) -> String {
    Date::from_epoch_days(0).plus_days(value / 86_400_000.0).to_string()
}

fn format_bytes(value: f64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("KB", 1e3)];
    match units.into_iter().find(|(_, size)| value >= *size) {
        Some((name, size)) if value / size >= 10.0 => format!("{:.0} {name}", value / size),
        Some((name, size)) => format!("{:.1} {name}", value / size),
        None => format!("{value:.0} bytes"),
    }
}

fn format_seconds(value: f64) -> String {
    let units = [("days", 86_400.0), ("hours", 3_600.0), ("minutes", 60.0)];
    match units.into_iter().find(|(_, size)| value >= 2.0 * size) {
        Some((name, size)) => format!("{:.0} {name}", value / size),
        None => format!("{value:.0} s"),
    }
}

/// `12,345`
fn format_count(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::format_amount;

    #[test]
    fn amounts_have_units() {
        assert_eq!(format_amount(151_000_000.0, "bytes"), "151 MB");
        assert_eq!(format_amount(1_234_567.0, "count"), "1,234,567");
        assert_eq!(format_amount(864_000.0, "s"), "10 days");
        assert_eq!(format_amount(3.2, "ms"), "3.2 ms");
    }
}
