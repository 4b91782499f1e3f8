//! Which statements belong together: those of one paragraph.

use crate::{Project, ReplayedStatement};

/// Whether a statement belongs to the same use case as one before it: it follows in the same text without an empty line between them,
/// and has no name of its own.
pub(crate) fn is_same_use_case(
    project: &Project<'_>,
    one: &ReplayedStatement,
    other: &ReplayedStatement,
) -> bool {
    if one.place.text != other.place.text || other.annotations.name.is_some() {
        return false;
    }
    let text = project.texts.get(one.place.text).map_or("", |text| text.text);
    let between = text.get(one.place.span.end as usize..other.place.span.start as usize);
    let Some(between) = between else { return false };
    // The first and the last line are those of the statements themselves.
    let mut lines = between.split('\n').skip(1).collect::<Vec<_>>();
    lines.pop();
    lines.iter().all(|line| !line.trim().is_empty())
}
