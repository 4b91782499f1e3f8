//! Unified diffs, in the format of `patch` and `git apply -p0`, by Myers' O(ND) algorithm.

use std::io::{self, Write};

/// The number of unchanged lines shown before and after a change.
const CONTEXT: usize = 3;
/// The number of differences after which a search is cut off and restarted: its cost is quadratic
/// in them.
const DIFFERENCES_MAX: usize = 200;

/// A line of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiffLine {
    /// In both texts.
    Unchanged(usize, usize),
    /// Only in the old one.
    Removed(usize),
    /// Only in the new one.
    Added(usize),
}

/// Writes the difference between two versions of a file.
pub(crate) fn write(name: &str, old: &str, new: &str, out: &mut dyn Write) -> io::Result<()> {
    let (old, new): (Vec<_>, Vec<_>) = (lines(old), lines(new));
    let script = edit_script(&old, &new);
    let mut header = Some(name);
    let changed: Vec<usize> = (0..script.len())
        .filter(|at| !matches!(script.get(*at), Some(DiffLine::Unchanged(..))))
        .collect();
    for near in changed.chunk_by(|line, next| next - line <= 2 * CONTEXT) {
        let (Some(first), Some(last)) = (near.first(), near.last()) else { continue };
        let from = first.saturating_sub(CONTEXT);
        let hunk = script.get(from..(last + CONTEXT + 1).min(script.len())).unwrap_or_default();
        if let Some(name) = header.take() {
            writeln!(out, "--- {name}\n+++ {name}")?;
        }
        write_hunk(hunk, script.get(..from).unwrap_or_default(), (&old, &new), out)?;
    }
    Ok(())
}

fn write_hunk(
    hunk: &[DiffLine],
    before: &[DiffLine],
    (old, new): (&[&str], &[&str]),
    out: &mut dyn Write,
) -> io::Result<()> {
    let in_old = |line: &&DiffLine| !matches!(line, DiffLine::Added(_));
    let in_new = |line: &&DiffLine| !matches!(line, DiffLine::Removed(_));
    let range = |before: usize, count: usize| match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        count => format!("{},{count}", before + 1),
    };
    writeln!(
        out,
        "@@ -{} +{} @@",
        range(before.iter().filter(in_old).count(), hunk.iter().filter(in_old).count()),
        range(before.iter().filter(in_new).count(), hunk.iter().filter(in_new).count()),
    )?;
    for line in hunk {
        let (mark, text) = match line {
            DiffLine::Unchanged(at, _) => (' ', old.get(*at)),
            DiffLine::Removed(at) => ('-', old.get(*at)),
            DiffLine::Added(at) => ('+', new.get(*at)),
        };
        let text = text.copied().unwrap_or_default();
        write!(out, "{mark}{text}")?;
        if !text.ends_with('\n') {
            writeln!(out, "\n\\ No newline at end of file")?;
        }
    }
    Ok(())
}

/// The lines of a text, with their line ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The edit script from one list of lines to another. Common lines at both ends are split off
/// first.
fn edit_script(old: &[&str], new: &[&str]) -> Vec<DiffLine> {
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(left, right)| left == right).count()
    };
    let head = same(&mut old.iter().zip(new));
    let (old_rest, new_rest) =
        (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = same(&mut old_rest.iter().rev().zip(new_rest.iter().rev()));
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    let mut all: Vec<DiffLine> = (0..head).map(|at| DiffLine::Unchanged(at, at)).collect();
    all.extend(shortest_script(old_middle, new_middle).into_iter().map(|line| match line {
        DiffLine::Unchanged(left, right) => DiffLine::Unchanged(left + head, right + head),
        DiffLine::Removed(at) => DiffLine::Removed(at + head),
        DiffLine::Added(at) => DiffLine::Added(at + head),
    }));
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    all.extend((0..tail).map(|at| DiffLine::Unchanged(old_end + at, new_end + at)));
    all
}

/// A short edit script, put together from bounded searches. It is the shortest one if there are at
/// most `DIFFERENCES_MAX` differences.
fn shortest_script(old: &[&str], new: &[&str]) -> Vec<DiffLine> {
    let mut all = Vec::new();
    let (mut x, mut y) = (0, 0);
    while x < old.len() || y < new.len() {
        let (left, right) = (old.get(x..).unwrap_or_default(), new.get(y..).unwrap_or_default());
        let section = myers_script(left, right);
        for line in section {
            all.push(match line {
                DiffLine::Unchanged(..) => DiffLine::Unchanged(x, y),
                DiffLine::Removed(_) => DiffLine::Removed(x),
                DiffLine::Added(_) => DiffLine::Added(y),
            });
            x += usize::from(!matches!(line, DiffLine::Added(_)));
            y += usize::from(!matches!(line, DiffLine::Removed(_)));
        }
    }
    all
}

/// The shortest edit script by Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its
/// Variations", 1986): for each number of differences, the furthest point reached on every
/// diagonal; then the path back from the end. After `DIFFERENCES_MAX` differences it stops at the
/// furthest point so far.
fn myers_script(old: &[&str], new: &[&str]) -> Vec<DiffLine> {
    let most = (old.len() + new.len()).min(DIFFERENCES_MAX);
    // The furthest x on diagonal k = x - y is at index k + most + 1.
    let mut farthest = vec![0_usize; 2 * most + 3];
    let mut trace = Vec::new();
    let mut end = (0, 0);
    for differences in 0..=most {
        trace.push(farthest.clone());
        end = (0, 0);
        for step in 0..=differences {
            let at = most + 1 + 2 * step - differences;
            let down = step == 0 || step != differences && farthest[at - 1] < farthest[at + 1];
            let mut x = if down { farthest[at + 1] } else { farthest[at - 1] + 1 };
            while let Some(y) = (x + most + 1).checked_sub(at)
                && let (Some(left), Some(right)) = (old.get(x), new.get(y))
                && left == right
            {
                x += 1;
            }
            farthest[at] = x;
            let Some(y) = (x + most + 1).checked_sub(at) else { continue };
            if x <= old.len() && y <= new.len() && x + y > end.0 + end.1 {
                end = (x, y);
            }
        }
        if end == (old.len(), new.len()) {
            break;
        }
    }
    backtrack(&trace, most, end)
}

/// The edit script, read backwards from the end of the search.
fn backtrack(trace: &[Vec<usize>], most: usize, end: (usize, usize)) -> Vec<DiffLine> {
    let (mut x, mut y) = end;
    let mut all = Vec::new();
    for (differences, farthest) in trace.iter().enumerate().rev() {
        let at = x + most + 1 - y;
        let lowest = at + differences == most + 1;
        let highest = at == most + 1 + differences;
        let down = lowest || !highest && farthest[at - 1] < farthest[at + 1];
        let from_x = if down { farthest[at + 1] } else { farthest[at - 1] };
        let from_at = if down { at + 1 } else { at - 1 };
        let from_y = (from_x + most + 1).saturating_sub(from_at);
        while x > 0 && y > 0 && x > from_x && y > from_y {
            (x, y) = (x - 1, y - 1);
            all.push(DiffLine::Unchanged(x, y));
        }
        if differences > 0 {
            all.push(if down { DiffLine::Added(from_y) } else { DiffLine::Removed(from_x) });
            (x, y) = (from_x, from_y);
        }
    }
    all.reverse();
    all
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

    #[test]
    fn many_changes_are_found_one_by_one() {
        let text = |mark: &str| {
            let line = |at: usize| {
                if at.is_multiple_of(3) { format!("{mark}{at}\n") } else { format!("{at}\n") }
            };
            (0..3_000).map(line).collect::<String>()
        };
        let (old, new) = (text("old"), text("new"));
        let script = edit_script(&lines(&old), &lines(&new));
        assert_eq!(
            script.iter().filter(|line| matches!(line, DiffLine::Unchanged(..))).count(),
            2_000
        );
    }

    #[test]
    fn every_script_leads_from_old_to_new() {
        // All pairs of short texts of two letters.
        let texts: Vec<Vec<&str>> = (0..64_usize)
            .map(|bits| {
                (0..bits % 6).map(|at| if bits >> at & 1 == 0 { "a" } else { "b" }).collect()
            })
            .collect();
        for old in &texts {
            for new in &texts {
                let (mut left, mut right) = (Vec::new(), Vec::new());
                for line in edit_script(old, new) {
                    match line {
                        DiffLine::Unchanged(one, other) => {
                            assert_eq!(old[one], new[other]);
                            left.push(one);
                            right.push(other);
                        }
                        DiffLine::Removed(at) => left.push(at),
                        DiffLine::Added(at) => right.push(at),
                    }
                }
                assert_eq!(left, (0..old.len()).collect::<Vec<_>>(), "{old:?} {new:?}");
                assert_eq!(right, (0..new.len()).collect::<Vec<_>>(), "{old:?} {new:?}");
            }
        }
    }
}
