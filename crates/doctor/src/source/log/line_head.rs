//! The head of a line: level, thread, time, place in the source.

use memchr::memmem::Finder;

use crate::source::timestamp::{find_timestamp, parse_timestamp};

/// The most bytes before a message.
pub(super) const HEAD_BYTES_MAX: usize = 400;
/// The most bytes in which a level and a time are looked for.
const LEVEL_BYTES_MAX: usize = 160;

/// The levels of entries.
const LEVELS: [&str; 6] = ["INFO ", "DEBUG", "WARN ", "ERROR", "TRACE", "FATAL"];

/// Whether a line begins with a level, as all do in Cassandra's own layout.
pub(super) fn has_level(line: &str) -> bool {
    matches!(
        line.as_bytes(),
        [b'I', b'N', b'F', b'O', b' ', ..]
            | [b'D', b'E', b'B', b'U', b'G', b' ', ..]
            | [b'W', b'A', b'R', b'N', b' ', ..]
            | [b'E', b'R', b'R', b'O', b'R', b' ', ..]
            | [b'T', b'R', b'A', b'C', b'E', b' ', ..]
    )
}

/// Whether a line is the first of an entry, in any layout: it has a level and a time near its
/// beginning, or it comes from `ScyllaDB` through the system's log.
pub(super) fn is_log_line(line: &str) -> bool {
    let head = &line.as_bytes()[..line.len().min(LEVEL_BYTES_MAX)];
    let finds = |word: &str| memchr::memmem::find(head, word.as_bytes()).is_some();
    if has_level(line) {
        return find_timestamp(head).is_some();
    }
    // The beginning of a JSON document or a table is dismissed before anything is searched.
    if !line.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '[') {
        return false;
    }
    let is_scylla = finds("[shard ") && (finds("scylla") || finds(" - "));
    is_scylla || LEVELS.iter().any(|level| finds(level)) && find_timestamp(head).is_some()
}

/// The part of a line in which its time is.
pub(super) fn head_of(line: &str) -> &[u8] {
    &line.as_bytes()[..line.len().min(LEVEL_BYTES_MAX)]
}

/// The time of a head.
pub(super) fn find_time(head: &[u8]) -> Option<i64> {
    parse_timestamp(head.get(find_timestamp(head)?..)?)
}

/// The message of a line: after ` - `, which follows the place in the source, or else after the time.
pub(super) fn message_of<'a>(line: &'a str, separator: &Finder<'_>) -> &'a str {
    let bytes = line.as_bytes();
    let head = &bytes[..bytes.len().min(HEAD_BYTES_MAX)];
    if let Some(at) = separator.find(head)
        && is_place(&head[..at])
    {
        return line.get(at + 3..).unwrap_or_default();
    }
    let Some(start) = find_timestamp(head) else { return line };
    let after = line.get(start + 19..).unwrap_or_default();
    let after = after.trim_start_matches(|sign: char| matches!(sign, ',' | '.' | 'Z' | '0'..='9'));
    let after = after.trim_start();
    // Other layouts have the level and the thread after the time.
    let after =
        LEVELS.iter().find_map(|level| after.strip_prefix(level)).unwrap_or(after).trim_start();
    match after.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((thread, message)) if thread.len() < 100 => message.trim_start(),
        _ => after,
    }
}

/// Whether a head ends with the place in the source, `File.java:123`, or with the name of one of
/// `ScyllaDB`'s loggers.
fn is_place(head: &[u8]) -> bool {
    let start = memchr::memrchr(b' ', head).map_or(0, |blank| blank + 1);
    let (before, word) = head.split_at(start);
    let is_shard = || memchr::memmem::find(before, b"[shard ").is_some();
    memchr::memchr(b':', word).is_some() || before.ends_with(b"] ") && is_shard()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str) -> &str {
        assert!(is_log_line(line), "{line}");
        message_of(line, &Finder::new(" - "))
    }

    #[test]
    fn layouts() {
        for line in [
            "INFO  [main] 2026-11-18 11:22:46,123 StorageService.java:12 - Hello - you",
            "WARN  [Native-Transport-Requests-1] 2026-11-18 11:22:46,123  Some.java:12 - Hello - you",
            "INFO  2026-11-18 11:22:46,123 Hello - you",
            "2026-11-18 11:22:46,123 INFO  [main] Hello - you",
            "2026-11-18T11:22:46.123456789Z stdout F INFO  [main] 2026-11-18 11:22:46,123 A.java:1 - Hello - you",
            "WARN  2024-12-03 13:05:02,004 [shard 1:  mt] large_data - Hello - you",
            "Mar 19 12:22:11 host scylla[1234]:  [shard 0] large_data - Hello - you",
            "cassandra-0 | ERROR [ReadStage-1] 2026-11-18 11:22:46,123 ?:? - Hello - you",
        ] {
            assert_eq!(message(line), "Hello - you", "{line}");
        }
        for line in ["", "CREATE TABLE t", "INFO", "Datacenter: dc1", "\tat java.lang.Thread.run"] {
            assert!(!is_log_line(line), "{line}");
        }
        assert_eq!(find_time(b"INFO  [a] 2026-11-18 11:22:46,123 x"), Some(1_795_000_966_123));
    }
}
