//! The memory of the machine, or of the container that the process runs in.

use std::fs;

use crate::cli::option_values;

/// Parses the value of `--memory`: `2GB`.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let bytes = option_values::bytes(text)?;
    format!("{bytes:.0}").parse().map_err(|_| "expected a size such as 2GB".to_owned())
}

/// The limit of the data unless `--memory` states another: three quarters of the memory; `None` if
/// that is unknown.
pub(super) fn default_limit() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| parse_total(&text));
    // The limits of a container, in the second and the first version of control groups. Without a
    // limit the first has a word, the second a number that no machine has.
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let container =
        limits.iter().filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok());
    machine.into_iter().chain(container).min().map(|bytes: u64| bytes / 4 * 3)
}

/// The total of `/proc/meminfo` in bytes.
fn parse_total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{parse_size, parse_total};

    #[test]
    fn the_total_is_found() {
        let text = "MemFree:   1 kB\nMemTotal:       24682432 kB\n";
        assert_eq!(parse_total(text), Some(25_274_810_368));
        assert_eq!(parse_total("MemTotal: much"), None);
        assert_eq!(parse_size("2GB"), Ok(2_000_000_000));
        assert!(parse_size("2 cows").is_err());
    }
}
