//! IF NOT EXISTS for objects that already exist.

use cql::statement::table::TableChange;
use cql::statement::user_type::TypeChange;
use cql::{Span, StatementKind};
use schema::refusal::{Reason, TableReason, ViewReason};

use super::{RefusalContext, TextChange};

/// Adds IF NOT EXISTS. It may hide that the existing object is different.
pub(super) fn add_clause(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let at = match &refused.statement.kind {
        StatementKind::CreateKeyspace(create) => create.name.span,
        StatementKind::CreateTable(create) => create.name.span(),
        StatementKind::CreateView(create) => create.name.span(),
        StatementKind::CreateType(create) => create.name.span(),
        StatementKind::CreateFunction(create) if !create.or_replace => create.name.span(),
        StatementKind::CreateAggregate(create) if !create.or_replace => create.name.span(),
        StatementKind::CreateTrigger(create) => create.name.span,
        StatementKind::CreateIndex(create) => create.name.as_ref()?.span,
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::Add { columns, .. } => columns.first()?.span,
            _ => return None,
        },
        StatementKind::AlterType(alter) => match &alter.change {
            TypeChange::Add { field, .. } => field.span,
            _ => return None,
        },
        _ => return None,
    };
    // It does not help if a table has the name of a view, or a view that of a table.
    if matches!(
        refused.reason()?,
        Reason::Table(TableReason::ExistsAsView { .. } | TableReason::SameId { .. })
            | Reason::View(ViewReason::ExistsAsTable { .. })
    ) {
        return None;
    }
    let mut at = at.start;
    // ADD (a int, b int)
    if let Some(kept) = refused.text_before(at).trim_end().strip_suffix('(') {
        at = super::text_length(kept);
    }
    let place = Span::new(at, at);
    TextChange::new_unsafe("add IF NOT EXISTS", vec![(place, "IF NOT EXISTS ".to_owned())])
}
