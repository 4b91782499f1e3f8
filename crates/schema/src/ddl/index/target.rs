//! [`ResolvedTarget`]: the column or part that an index is on.

use cql::Span;
use cql::statement::index::{CreateIndex, IndexTarget, IndexTargetKind};
use cql::types::{Frozenness, Type};

use super::super::access::is_word;
use crate::Result;
use crate::catalog::{Column, IndexPart, Table};
use crate::refusal::{IndexReason, refuse};

/// The maximum length of a column name for a custom index.
const COLUMN_NAME_LENGTH: usize = 48;

/// A column, or a part of it.
pub(super) struct ResolvedTarget<'a> {
    pub(super) column: &'a Column,
    pub(super) part: IndexPart,
}

impl ResolvedTarget<'_> {
    /// The form in the schema: `column`, `values(column)`, ...
    pub(super) fn text(&self) -> String {
        let column = cql::printer::identifier(&self.column.name);
        match self.part {
            IndexPart::Simple => column,
            part => format!("{}({column})", part_text(part)),
        }
    }
}

/// Resolves and checks the targets of a statement.
pub(super) fn prepare<'a>(
    table: &'a Table,
    statement: &CreateIndex,
    is_custom: bool,
) -> Result<Vec<ResolvedTarget<'a>>> {
    let span = statement.table.span();
    let mut targets: Vec<ResolvedTarget<'a>> = Vec::with_capacity(statement.targets.len());
    for target in &statement.targets {
        targets.push(resolve(table, target)?);
    }
    if targets.is_empty() && !is_custom {
        return refuse(IndexReason::NoTarget, span);
    }
    if targets.len() > 1 {
        if !is_custom {
            return refuse(IndexReason::ManyTargets, span);
        }
        for (at, target) in targets.iter().enumerate() {
            if targets.iter().take(at).any(|earlier| earlier.column.name == target.column.name) {
                return refuse(
                    IndexReason::DuplicateTarget { column: target.column.name.to_string() },
                    span,
                );
            }
        }
    }
    for (target, written) in targets.iter().zip(&statement.targets) {
        check(table, target, is_custom, written.column.span)?;
    }
    Ok(targets)
}

fn resolve<'a>(table: &'a Table, target: &IndexTarget) -> Result<ResolvedTarget<'a>> {
    let name = &target.column.text;
    let Some(column) = table.column(name) else {
        let (name, table) = (cql::printer::identifier(name), table.qualified_name());
        return refuse(IndexReason::UndefinedTarget { column: name, table }, target.column.span);
    };
    let part = match target.kind {
        // The server does not unwrap the descending order of a clustering column here.
        IndexTargetKind::Simple if column.ty.is_collection() && !column.descending => {
            IndexPart::Values
        }
        IndexTargetKind::Simple => IndexPart::Simple,
        IndexTargetKind::Values => IndexPart::Values,
        IndexTargetKind::Keys => IndexPart::Keys,
        IndexTargetKind::Entries => IndexPart::Entries,
        IndexTargetKind::Full => IndexPart::Full,
    };
    Ok(ResolvedTarget { column, part })
}

const fn part_text(part: IndexPart) -> &'static str {
    match part {
        IndexPart::Simple => "",
        IndexPart::Values => "values",
        IndexPart::Keys => "keys",
        IndexPart::Entries => "entries",
        IndexPart::Full => "full",
    }
}

fn check(table: &Table, target: &ResolvedTarget<'_>, is_custom: bool, span: Span) -> Result<()> {
    let refuse = |reason: IndexReason| refuse(reason, span);
    let column = target.column;
    let name = &column.name;
    if is_custom && !is_word(name) {
        return refuse(IndexReason::ColumnName { column: name.to_string() });
    }
    if is_custom && name.len() > COLUMN_NAME_LENGTH {
        return refuse(IndexReason::ColumnNameLength {
            column: name.to_string(),
            limit: COLUMN_NAME_LENGTH,
        });
    }
    if column.ty.has_duration() {
        let what = match &column.ty {
            ty if ty.is_collection() => "collections containing durations",
            Type::Tuple(_) => "tuples containing durations",
            Type::User(..) => "UDTs containing durations",
            _ => "duration columns",
        };
        return refuse(IndexReason::Durations { what: what.to_string() });
    }
    check_compact(table, column, span)?;
    if table.partition_key().len() == 1 && table.partition_key().iter().any(|key| key.name == *name)
    {
        return refuse(IndexReason::OnlyPartitionKey { column: name.to_string() });
    }
    check_part(target, span)
}

fn check_compact(table: &Table, column: &Column, span: Span) -> Result<()> {
    if !table.is_compact() {
        return Ok(());
    }
    if column.is_primary_key() {
        return refuse(IndexReason::CompactKey, span);
    }
    if table.flags.dense {
        return refuse(IndexReason::CompactValue, span);
    }
    Ok(())
}

fn check_part(target: &ResolvedTarget<'_>, span: Span) -> Result<()> {
    let (column, part) = (target.column, target.part);
    let (name, ty, part_text) = (&column.name, &column.ty, part_text(part));
    let is_frozen = ty.is_collection() && !column.is_multi_cell();
    let column = name.to_string();
    let reason = if is_frozen && part != IndexPart::Full {
        let quoted = cql::printer::identifier(name);
        IndexReason::PartOfFrozen { part: part_text, column, quoted }
    } else if !is_frozen && part == IndexPart::Full {
        IndexReason::FullOfOthers
    } else if !ty.is_collection() && part != IndexPart::Simple {
        IndexReason::PartOfPlain { part: part_text, column }
    } else if !matches!(ty, Type::Map(_, Frozenness::No))
        && matches!(part, IndexPart::Keys | IndexPart::Entries)
    {
        IndexReason::PartOfOthers { part: part_text, column }
    } else if matches!(ty, Type::User(_, Frozenness::No)) {
        IndexReason::NonFrozenType { column }
    } else {
        return Ok(());
    };
    refuse(reason, span)
}
