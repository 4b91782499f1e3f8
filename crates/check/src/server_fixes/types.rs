//! Types: adds frozen where it is required, and removes frozen and STATIC where they are not
//! allowed.

use cql::statement::table::{ColumnDefinition, TableChange};
use cql::{Span, StatementKind};
use schema::refusal::{ColumnReason, Reason, TypeReason};

use super::{RefusalContext, TextChange, text_length};

/// Freezes the type of a key column.
pub(super) fn freeze_key(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let name = refused.text(refused.span());
    let StatementKind::CreateTable(create) = &refused.statement.kind else { return None };
    let column = create
        .columns
        .iter()
        .find(|column| refused.text(column.name.span).eq_ignore_ascii_case(name))?;
    freeze(refused, column.type_name.span)
}

/// Freezes a type inside another.
pub(super) fn freeze_inner(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let is_inner = matches!(
        refused.reason()?,
        Reason::Type(TypeReason::NonFrozenInside { .. } | TypeReason::NonFrozenField)
    );
    if is_inner { freeze(refused, refused.span()) } else { None }
}

fn freeze(refused: &RefusalContext<'_>, span: Span) -> Option<TextChange> {
    let edits = vec![(span, format!("frozen<{}>", refused.text(span)))];
    TextChange::new_safe("add frozen", edits)
}

/// Removes frozen from types that are always a single value.
pub(super) fn remove_frozen(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let span = refused.span();
    let before = refused.text_before(span.start).trim_end().strip_suffix('<')?.trim_end();
    let start = before.len().checked_sub("frozen".len())?;
    if !before.get(start..)?.eq_ignore_ascii_case("frozen") {
        return None;
    }
    let after = refused.text_after(span.end);
    let rest = after.trim_start().strip_prefix('>')?;
    let whole =
        Span::new(u32::try_from(start).ok()?, span.end + text_length(after) - text_length(rest));
    TextChange::new_safe("remove frozen", vec![(whole, refused.text(span).to_owned())])
}

/// Without clustering columns a partition has one row, so STATIC is redundant.
pub(super) fn remove_static(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let Some(Reason::Column(ColumnReason::StaticWithoutClustering)) = refused.reason() else {
        return None;
    };
    let columns: &[ColumnDefinition] = match &refused.statement.kind {
        StatementKind::CreateTable(create) => &create.columns,
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::Add { columns, .. } => columns,
            _ => return None,
        },
        _ => return None,
    };
    let edits = columns.iter().filter(|column| column.is_static).filter_map(|column| {
        let behind = Span::new(column.type_name.span.end, column.span.end);
        let written = refused.text(behind);
        let at = text_length(written.get(..written.to_ascii_lowercase().find("static")?)?);
        let start = behind.start + text_length(written.get(..at as usize)?.trim_end());
        Some((Span::new(start, behind.start + at + text_length("static")), String::new()))
    });
    TextChange::new_safe("remove STATIC", edits.collect())
}
