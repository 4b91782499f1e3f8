//! MG020: A migration that guards some of its statements and not others.

use std::collections::BTreeMap;

use cql::statement::table::TableChange;
use cql::statement::user_type::TypeChange;
use cql::{Span, StatementKind};

use crate::project::TextKind;
use crate::{Check, Edit, Fix, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg020_non_idempotent_script.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut by_text: BTreeMap<usize, Vec<(&ReplayedStatement, ExistenceGuard)>> = BTreeMap::new();
    for (_, seen) in project.definitions() {
        let is_migration =
            project.texts.get(seen.place.text).is_some_and(|text| text.kind == TextKind::Migration);
        let kind = project.syntax(seen).map(|statement| &statement.kind);
        if let Some(guard) = kind.filter(|_| is_migration).and_then(existence_guard) {
            by_text.entry(seen.place.text).or_default().push((seen, guard));
        }
    }
    for all in by_text.into_values() {
        let bare: Vec<_> = all.iter().filter(|(_, guard)| guard.missing_at.is_some()).collect();
        let is_mixed = bare.len() < all.len();
        // A file with one statement has run or not; one without any guard is left to the migration
        // tool.
        let [(first, _), ..] = &*bare else { continue };
        if all.len() < 2 || !is_mixed && !project.settings.strict {
            continue;
        }
        let edits = bare.iter().filter_map(|(seen, guard)| {
            let at = guard.missing_at?;
            let place = Location { text: seen.place.text, span: Span::new(at, at) };
            Some(Edit { place, text: format!("{} ", guard.words) })
        });
        let title = "add the guards".to_owned();
        let fix = Fix { title, kind: FixKind::Unsafe, edits: edits.collect() };
        reporter
            .report(first.place, "The file cannot be rerun after a partial failure: this statement would be rejected.")
            .note(format!("{} of its {} statements have no IF [NOT] EXISTS", bare.len(), all.len()))
            .help("add them to all statements; existing objects are then not compared with their definitions")
            .with_fix(Some(fix));
    }
}

/// The guard that a statement may have, and where it belongs if it is missing.
struct ExistenceGuard {
    words: &'static str,
    missing_at: Option<u32>,
}

fn existence_guard(kind: &StatementKind) -> Option<ExistenceGuard> {
    let new = |is_there: bool, span: Span| ExistenceGuard {
        words: "IF NOT EXISTS",
        missing_at: (!is_there).then_some(span.start),
    };
    let gone = |is_there: bool, span: Span| ExistenceGuard {
        words: "IF EXISTS",
        missing_at: (!is_there).then_some(span.start),
    };
    Some(match kind {
        StatementKind::CreateKeyspace(one) => new(one.if_not_exists, one.name.span),
        StatementKind::CreateTable(one) => new(one.if_not_exists, one.name.span()),
        StatementKind::CreateType(one) => new(one.if_not_exists, one.name.span()),
        StatementKind::CreateView(one) => new(one.if_not_exists, one.name.span()),
        StatementKind::CreateIndex(one) => new(one.if_not_exists, one.name.as_ref()?.span),
        StatementKind::DropKeyspace(one) => gone(one.if_exists, one.name.span),
        StatementKind::DropTable(one) => gone(one.if_exists, one.name.span()),
        StatementKind::DropType(one) => gone(one.if_exists, one.name.span()),
        StatementKind::DropView(one) => gone(one.if_exists, one.name.span()),
        StatementKind::DropIndex(one) => gone(one.if_exists, one.name.span()),
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::Add { if_not_exists, columns } => {
                new(*if_not_exists, columns.first()?.span)
            }
            TableChange::Drop { if_exists, columns, .. } => gone(*if_exists, columns.first()?.span),
            _ => return None,
        },
        StatementKind::AlterType(alter) => match &alter.change {
            TypeChange::Add { if_not_exists, field, .. } => new(*if_not_exists, field.span),
            _ => return None,
        },
        _ => return None,
    })
}
