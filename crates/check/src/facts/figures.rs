//! Figures as people write them: `1.2k`, `35 MB`, `800/s`.

use model::directive::quantity::spell;

/// A number: `7`, `850`, `1.2k`, `2M`.
pub fn count(number: f64) -> String {
    if number.is_finite() { spell(number) } else { "any number of".to_owned() }
}

/// Bytes, of 1,000 each: `812 bytes`, `35 MB`, `1.5 GB`.
pub fn bytes(number: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB")];
    // What is rounded up to a unit counts as one.
    let unit = UNITS.into_iter().find(|(unit, _)| number >= unit * 0.9995);
    match unit {
        Some((unit, name)) => format!("{} {name}", spell(number / unit)),
        None => format!("{} bytes", spell(number)),
    }
}

/// How often: `800/s`, `20/min`, `2.5/day`.
pub fn rate(per_second: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1.0, "s"), (60.0, "min"), (3_600.0, "h")];
    let unit = UNITS.into_iter().find(|(seconds, _)| per_second * seconds >= 0.9995);
    let (seconds, name) = unit.unwrap_or((86_400.0, "day"));
    format!("{}/{name}", spell(per_second * seconds))
}

/// A length of time, in the largest unit that it has at least one of: `30 seconds`, `90 days`.
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")];
    let unit = UNITS.into_iter().find(|(unit, _)| seconds >= unit * 0.9995);
    let (unit, name) = unit.unwrap_or((1.0, "second"));
    let number = spell(seconds / unit);
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {name}{ending}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn figures_are_short() {
        assert_eq!(super::bytes(812.0), "812 bytes");
        assert_eq!(super::bytes(2.84e9), "2.84 GB");
        assert_eq!(super::bytes(999_900.0), "1 MB");
        assert_eq!(super::rate(3_000.0), "3k/s");
        assert_eq!(super::rate(0.5), "30/min");
        assert_eq!(super::rate(2.5 / 86_400.0), "2.5/day");
        assert_eq!(super::duration(7_776_000.0), "90 days");
        assert_eq!(super::duration(1.0), "1 second");
    }
}
