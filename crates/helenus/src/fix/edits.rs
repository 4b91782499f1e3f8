//! The edits of `--fix`: selecting compatible fixes, and applying their edits to a text.

use check::{Edit, Finding, FixKind, Severity};

/// The edits of all applicable fixes, sorted by text and position, and the number of fixes. Of
/// overlapping fixes the first wins; a fix is applied as a whole or not at all.
pub(super) fn collect_edits<'f>(
    findings: impl Iterator<Item = &'f Finding>,
    include_unsafe: bool,
) -> (Vec<&'f Edit>, usize) {
    let mut taken: Vec<&Edit> = Vec::new();
    let mut fixes = 0;
    let offered =
        findings.filter_map(|finding| finding.fix.as_ref()).filter(|fix| match fix.kind {
            FixKind::Safe => true,
            FixKind::Unsafe => include_unsafe,
            FixKind::Plan => false,
        });
    for fix in offered {
        let places: Vec<usize> =
            fix.edits.iter().map(|edit| insertion_point(&taken, edit)).collect();
        let mut pairs = places.iter().zip(&fix.edits);
        let is_free = pairs.all(|(at, edit)| {
            let neighbours = [at.checked_sub(1), Some(*at)].into_iter().flatten();
            let mut neighbours = neighbours.filter_map(|at| taken.get(at));
            !neighbours.any(|other| is_overlapping(other, edit))
        });
        if !is_free || fix.edits.is_empty() || has_overlaps(&fix.edits) {
            continue;
        }
        for edit in &fix.edits {
            taken.insert(insertion_point(&taken, edit), edit);
        }
        fixes += 1;
    }
    (taken, fixes)
}

/// The position of an edit in a sorted list.
fn insertion_point(taken: &[&Edit], edit: &Edit) -> usize {
    taken.partition_point(|other| sort_key(other) < sort_key(edit))
}

fn sort_key(edit: &Edit) -> (usize, u32, u32) {
    (edit.place.text, edit.place.span.start, edit.place.span.end)
}

/// Whether two edits change the same bytes, or insert at the same position.
fn is_overlapping(edit: &Edit, other: &Edit) -> bool {
    let (left, right) = (edit.place.span, other.place.span);
    edit.place.text == other.place.text
        && (left.start < right.end && right.start < left.end || left.start == right.start)
}

fn has_overlaps(edits: &[Edit]) -> bool {
    edits
        .iter()
        .enumerate()
        .any(|(at, edit)| edits.iter().skip(at + 1).any(|other| is_overlapping(edit, other)))
}

/// The text after the edits, which must be sorted; `None` if one of them is out of range.
pub(super) fn apply(text: &str, edits: &[&Edit]) -> Option<String> {
    let mut fixed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.place.span.start as usize, edit.place.span.end as usize);
        fixed.push_str(text.get(at..start)?);
        fixed.push_str(&edit.text);
        text.get(start..end)?;
        at = end;
    }
    fixed.push_str(text.get(at..)?);
    Some(fixed)
}

/// The number of errors: a round of fixes that increases it is reverted.
pub(super) fn count_errors(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use check::Location;
    use cql::Span;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit { place: Location { text: 0, span: Span::new(start, end) }, text: text.to_owned() }
    }

    #[test]
    fn edits_in_order() {
        let (first, second) = (edit(0, 1, "A"), edit(2, 2, "-"));
        assert_eq!(apply("abcd", &[&first, &second]).as_deref(), Some("Ab-cd"));
        assert_eq!(apply("ab", &[&edit(1, 9, "")]), None);
        assert_eq!(apply("éa", &[&edit(1, 2, "")]), None);
    }

    #[test]
    fn edits_that_touch_the_same_text() {
        assert!(is_overlapping(&edit(0, 3, ""), &edit(2, 4, "")));
        assert!(is_overlapping(&edit(2, 2, "a"), &edit(2, 2, "b")));
        assert!(!is_overlapping(&edit(0, 2, ""), &edit(2, 4, "")));
        assert!(has_overlaps(&[edit(0, 2, ""), edit(5, 6, ""), edit(1, 3, "")]));
    }
}
