//! What comments say of columns.

use cql::Span;

use crate::{Project, TableFacts};

/// The comments of a column in lower case: at the end of its line, and on lines of their own above it.
pub(crate) fn column_comments(project: &Project<'_>, facts: &TableFacts, column: &str) -> String {
    let mut said = String::new();
    let Some(text) = project.texts.get(facts.place.text) else { return said };
    let columns = project.creation(facts).map(|create| create.columns.iter());
    let Some(known) = columns.into_iter().flatten().find(|known| &*known.name.text == column)
    else {
        return said;
    };
    let comments = &text.parsed.comments;
    let next = comments.partition_point(|comment| comment.span.start < known.span.start);
    let between = |from: u32, to: u32| text.text.get(from as usize..to as usize);
    let mut take = |span: Span| {
        said.push_str(&span.text(text.text).to_lowercase());
        said.push(' ');
    };
    // Above: comments with nothing but blanks between them and the column.
    let mut start = known.span.start;
    for comment in comments.get(..next).unwrap_or_default().iter().rev() {
        let line = text.text.get(..comment.span.start as usize).unwrap_or_default();
        let stands_alone = line.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
        let is_near = between(comment.span.end, start).is_some_and(|gap| gap.trim().is_empty());
        if !stands_alone || !is_near {
            break;
        }
        take(comment.span);
        start = comment.span.start;
    }
    if let Some(comment) = comments.get(next)
        && between(known.span.end, comment.span.start).is_some_and(|gap| !gap.contains('\n'))
    {
        take(comment.span);
    }
    said
}
