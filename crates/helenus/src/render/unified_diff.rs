//! Unified diffs, as `patch` and `git apply -p0` read them.

use std::io::{self, Write};
use std::time::Duration;

use similar::TextDiff;

/// Lines that are shown before and after what changed.
const CONTEXT: usize = 3;
/// After this time a diff is no longer the shortest one: Myers' algorithm is quadratic in the differences.
const SEARCH_MAX: Duration = Duration::from_millis(500);

/// Writes the difference of two texts of a file; nothing where they are equal.
pub(crate) fn write(name: &str, old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    let diff = TextDiff::configure().timeout(SEARCH_MAX).diff_lines(old, new);
    let mut unified = diff.unified_diff();
    unified.context_radius(CONTEXT).header(name, name).to_writer(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        write("a.cql", old, new, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hunks_have_context() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n14";
        let expected = "--- a.cql\n+++ a.cql\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n\
                        @@ -11,3 +11,4 @@\n 11\n 12\n 13\n+14\n\\ No newline at end of file\n";
        assert_eq!(diff(old, new), expected);
        assert_eq!(diff(old, old), "");
    }
}
