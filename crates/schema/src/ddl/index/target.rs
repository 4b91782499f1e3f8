//! What an index indexes.

use cql::Span;
use cql::statement::index::{CreateIndex, IndexTarget, IndexTargetKind};
use cql::types::{Frozen, Type};

use super::super::access::is_word;
use super::super::refusal::invalid;
use crate::Result;
use crate::catalog::{Column, IndexPart, Table};

/// The longest name of a column that a custom index takes.
const COLUMN_NAME_LENGTH: usize = 48;

/// A column, or a part of it.
pub(super) struct Target<'a> {
    pub(super) column: &'a Column,
    pub(super) part: IndexPart,
}

impl Target<'_> {
    /// As the schema keeps it: `column`, `values(column)`, ...
    pub(super) fn text(&self) -> String {
        let column = cql::printer::identifier(&self.column.name);
        match self.part {
            IndexPart::Simple => column,
            part => format!("{}({column})", part_text(part)),
        }
    }
}

/// The targets of a statement, checked.
pub(super) fn prepare<'a>(
    table: &'a Table,
    statement: &CreateIndex,
    is_custom: bool,
) -> Result<Vec<Target<'a>>> {
    let span = statement.table.span();
    let mut targets: Vec<Target<'a>> = Vec::with_capacity(statement.targets.len());
    for target in &statement.targets {
        targets.push(resolve(table, target)?);
    }
    if targets.is_empty() && !is_custom {
        let message = "Only CUSTOM indexes can be created without specifying a target column";
        return invalid("SV020", message, span);
    }
    if targets.len() > 1 {
        if !is_custom {
            return invalid("SV020", "Only CUSTOM indexes support multiple columns", span);
        }
        for (at, target) in targets.iter().enumerate() {
            if targets.iter().take(at).any(|earlier| earlier.column.name == target.column.name) {
                let message =
                    format!("Duplicate column '{}' in index target list", target.column.name);
                return invalid("SV020", message, span);
            }
        }
    }
    for (target, written) in targets.iter().zip(&statement.targets) {
        check(table, target, is_custom, written.column.span)?;
    }
    Ok(targets)
}

fn resolve<'a>(table: &'a Table, target: &IndexTarget) -> Result<Target<'a>> {
    let name = &target.column.text;
    let Some(column) = table.column(name) else {
        let (name, table) = (cql::printer::identifier(name), table.qualified_name());
        return invalid(
            "SV020",
            format!("Undefined column name {name} in table {table}"),
            target.column.span,
        );
    };
    let part = match target.kind {
        // The server does not look through the descending order of a clustering column here.
        IndexTargetKind::Simple if column.ty.is_collection() && !column.descending => {
            IndexPart::Values
        }
        IndexTargetKind::Simple => IndexPart::Simple,
        IndexTargetKind::Values => IndexPart::Values,
        IndexTargetKind::Keys => IndexPart::Keys,
        IndexTargetKind::Entries => IndexPart::Entries,
        IndexTargetKind::Full => IndexPart::Full,
    };
    Ok(Target { column, part })
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

fn check(table: &Table, target: &Target<'_>, is_custom: bool, span: Span) -> Result<()> {
    let refuse = |message: String| invalid("SV020", message, span);
    let column = target.column;
    let name = &column.name;
    if is_custom && !is_word(name) {
        return refuse(format!("Column '{name}' contains non-alphanumeric-underscore characters"));
    }
    if is_custom && name.len() > COLUMN_NAME_LENGTH {
        return refuse(format!(
            "Column '{name}' is longer than the permissible name length of {COLUMN_NAME_LENGTH} characters"
        ));
    }
    if column.ty.references_duration() {
        let what = match &column.ty {
            ty if ty.is_collection() => "collections containing durations",
            Type::Tuple(_) => "tuples containing durations",
            Type::User(..) => "UDTs containing durations",
            _ => "duration columns",
        };
        return refuse(format!("Secondary indexes are not supported on {what}"));
    }
    check_compact(table, column, span)?;
    if table.partition_key().len() == 1 && table.partition_key().iter().any(|key| key.name == *name)
    {
        return refuse(format!(
            "Cannot create secondary index on the only partition key column {name}"
        ));
    }
    check_part(target, span)
}

fn check_compact(table: &Table, column: &Column, span: Span) -> Result<()> {
    if !table.is_compact() {
        return Ok(());
    }
    if column.is_primary_key() {
        let message =
            "Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables";
        return invalid("SV020", message, span);
    }
    if table.flags.dense {
        let message =
            "Secondary indexes are not supported on compact value column of COMPACT STORAGE tables";
        return invalid("SV020", message, span);
    }
    Ok(())
}

fn check_part(target: &Target<'_>, span: Span) -> Result<()> {
    let (column, part) = (target.column, target.part);
    let (name, part_text) = (&column.name, part_text(part));
    let is_frozen = column.ty.is_collection() && !column.is_multi_cell();
    let message = if is_frozen && part != IndexPart::Full {
        format!(
            "Cannot create {part_text}() index on frozen column {name}. Frozen collections are immutable and must be \
             fully indexed by using the 'full({})' modifier",
            cql::printer::identifier(name)
        )
    } else if !is_frozen && part == IndexPart::Full {
        "full() indexes can only be created on frozen collections".to_owned()
    } else if !column.ty.is_collection() && part != IndexPart::Simple {
        format!(
            "Cannot create {part_text}() index on {name}. Non-collection columns only support simple indexes"
        )
    } else if !matches!(column.ty, Type::Map(_, Frozen::No))
        && matches!(part, IndexPart::Keys | IndexPart::Entries)
    {
        format!("Cannot create index on {part_text} of column {name} with non-map type")
    } else if matches!(column.ty, Type::User(_, Frozen::No)) {
        format!("Cannot create index on non-frozen UDT column {name}")
    } else {
        return Ok(());
    };
    invalid("SV020", message, span)
}
