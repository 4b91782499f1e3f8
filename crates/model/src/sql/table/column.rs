//! Adds columns and constraints to a table.

use cql::Span;
use cql::types::Type;
use sqlparser::ast::{
    ColumnDef, ColumnOption, ConstraintReferenceMatchKind, ExcludeConstraint, Expr,
    ForeignKeyConstraint, GeneratedAs, IndexColumn, NullsDistinctOption, ReferentialAction,
    TableConstraint, UniqueConstraint,
};

use sqlparser::tokenizer::TokenWithSpan;

use super::super::client_value::find_client_value;
use super::super::draft::ModelDraft;
use super::super::source::SqlName;
use super::super::token;
use super::super::types::SqlType;
use super::{
    ClauseDeclaration, ColumnDeclaration, DefaultDeclaration, KeyDeclaration, ReferenceDeclaration,
    TableDeclaration,
};
use crate::concept::{ClientValue, ReferenceAction, ValueLimit};
use crate::directive::{Directive, DirectiveTarget};
use crate::id::IdList;

/// Adds a column; `place` is that of its type.
pub(super) fn add_column(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    definition: &ColumnDef,
    place: Span,
    directives: Vec<Directive>,
) {
    let name = SqlName::new(&definition.name);
    if table.positions.contains_key(&name.text) {
        let message = format!("table {} has two columns named {}", table.name.text, name.text);
        draft.report("MF202", name.span, message, "remove or rename one of them");
        return;
    }
    let ty = match draft.types.resolve(&definition.data_type, place) {
        Ok(ty) => {
            warn_type(draft, &table.name, &name, &ty);
            Some(ty)
        }
        Err(error) => {
            draft.errors.push(error);
            None
        }
    };
    let not_null = ty.as_ref().is_some_and(|ty| ty.not_null || ty.serial);
    let position = table.columns.next_id();
    table.positions.insert(name.text.clone(), position);
    let of_domain = ty.iter().flat_map(|ty| ty.checks.iter().cloned());
    table.checks.extend(of_domain.map(|check| (Box::new(check), Some(position))));
    let unread = ty.iter().flat_map(|ty| ty.unread_checks.iter().cloned());
    table.clauses.extend(unread.map(|check| ClauseDeclaration::new(check, place)));
    let default = ty.as_ref().and_then(|ty| {
        let sequence = ty.serial.then_some(DefaultDeclaration::Sequence { always: false });
        sequence.or_else(|| ty.default.clone().map(DefaultDeclaration::Expression))
    });
    let (generated, hidden) = (None, false);
    let mut column =
        ColumnDeclaration { name, ty, not_null, default, generated, hidden, directives };
    if column.ty.as_ref().is_some_and(|ty| ty.case_insensitive) {
        draft.comparisons.add_case_insensitive(&table.name.text, &column.name.text);
    }
    if column.ty.as_ref().is_some_and(|ty| ty.microseconds) {
        draft.comparisons.add_microseconds(&table.name.text, &column.name.text);
    }
    if column.ty.as_ref().is_some_and(|ty| ty.text_form) {
        draft.comparisons.add_text_form(&table.name.text, &column.name.text);
    }
    for option in &definition.options {
        add_option(draft, table, &mut column, &option.option);
    }
    table.columns.push(column);
}

/// Adds a column that cannot be parsed, so that uses of it are not reported as well.
pub(super) fn add_unread(
    table: &mut TableDeclaration,
    tokens: &[TokenWithSpan],
    directives: Vec<Directive>,
) {
    let Some((name, _)) = super::create_table::parse_name(tokens) else { return };
    let constraint = ["constraint", "primary", "unique", "foreign"].contains(&name.text.as_str());
    if !constraint && !table.positions.contains_key(&name.text) {
        table.positions.insert(name.text.clone(), table.columns.next_id());
        table.columns.push(ColumnDeclaration {
            name,
            ty: None,
            not_null: false,
            default: None,
            generated: None,
            hidden: false,
            directives,
        });
    }
}

fn warn_type(draft: &mut ModelDraft, table: &SqlName, column: &SqlName, ty: &SqlType) {
    if ty.serial {
        warn_serial(draft, table, column);
    }
    if let (Some(ValueLimit::Exactly(length)), Type::Native(_)) = (&ty.limit, &ty.ty) {
        let message = format!(
            "{}.{} is char({length}): shorter values would be padded with blanks, which is not done",
            table.text, column.text
        );
        let help = format!("write values of {length} characters, or declare it as text");
        draft.warn("MF255", column.span, message, help);
    }
    if ty.kept {
        let message = format!(
            "{}.{} is stored as {}, because CQL has no equivalent of its type",
            table.text, column.text, ty.ty
        );
        let help = "remove the column, or declare it with the type that the application needs";
        draft.warn("MF253", column.span, message, help);
    }
}

fn add_option(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    column: &mut ColumnDeclaration,
    option: &ColumnOption,
) {
    match option {
        ColumnOption::NotNull => column.not_null = true,
        ColumnOption::PrimaryKey(_) | ColumnOption::Unique(_) => {
            let primary = matches!(option, ColumnOption::PrimaryKey(_));
            let (name, span) = (None, column.name.span);
            let columns = vec![column.name.clone()];
            let key = KeyDeclaration::new(name, primary, columns, span);
            let nulls_equal = matches!(option, ColumnOption::Unique(it) if is_null_equal(it));
            table.keys.push(KeyDeclaration { nulls_equal, ..key });
        }
        ColumnOption::ForeignKey(reference) => {
            let columns = vec![column.name.clone()];
            add_reference(table, reference, columns, Vec::new(), column.name.span);
        }
        ColumnOption::Generated { generation_expr: None, generated_as, .. } => {
            let always = *generated_as == GeneratedAs::Always;
            column.not_null = true;
            column.default = Some(DefaultDeclaration::Sequence { always });
            warn_serial(draft, &table.name, &column.name);
        }
        ColumnOption::Identity(_) => {
            column.not_null = true;
            column.default = Some(DefaultDeclaration::Sequence { always: false });
            warn_serial(draft, &table.name, &column.name);
        }
        ColumnOption::Generated { generation_expr: Some(expression), .. } => {
            column.generated = Some(Box::new(expression.clone()));
        }
        ColumnOption::Collation(collation) => {
            let Some(collation) = SqlName::from_object_name(collation) else { return };
            let comparisons = &mut draft.comparisons;
            comparisons.add_collation(&table.name.text, &column.name.text, &collation.text);
        }
        ColumnOption::Check(check) => table.checks.push((check.expr.clone(), None)),
        ColumnOption::Default(default) => {
            set_default(draft, &table.name, column, default.clone());
        }
        _ => {}
    }
}

/// Sets the default of a column.
pub(super) fn set_default(
    draft: &mut ModelDraft,
    table: &SqlName,
    column: &mut ColumnDeclaration,
    default: Expr,
) {
    if find_client_value(&default) == Some(ClientValue::NextNumber) {
        warn_serial(draft, table, &column.name);
    }
    column.default = Some(DefaultDeclaration::Expression(Box::new(default)));
}

/// Warns about an auto-increment column.
pub(super) fn warn_serial(draft: &mut ModelDraft, table: &SqlName, column: &SqlName) {
    let message = format!("{}.{} is numbered by the database", table.text, column.text);
    let help = "use a uuid, or assign the numbers in the application: Cassandra has no sequences";
    draft.warn("MF250", column.span, message, help);
}

/// A constraint of a table.
pub(super) fn add_constraint(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    constraint: &TableConstraint,
    item: Span,
    directives: Vec<Directive>,
) {
    let (primary, name, columns) = match constraint {
        TableConstraint::ForeignKey(reference) => {
            let columns = reference.columns.iter().map(SqlName::new).collect();
            add_reference(table, reference, columns, directives, item);
            return;
        }
        TableConstraint::PrimaryKey(key) => (true, &key.name, key_columns(&key.columns)),
        TableConstraint::Unique(key) => (false, &key.name, key_columns(&key.columns)),
        TableConstraint::Check(check) => {
            table.checks.push((check.expr.clone(), None));
            (false, &None, None)
        }
        TableConstraint::PrimaryKeyUsingIndex(_) | TableConstraint::UniqueUsingIndex(_) => {
            let message = "the columns of a key declared with USING INDEX are not known";
            draft.report("MF211", item, message, "list the columns, as in PRIMARY KEY (id)");
            return;
        }
        TableConstraint::Exclude(exclusion) => {
            let unnamed = ExcludeConstraint { name: None, ..exclusion.clone() };
            table.clauses.push(ClauseDeclaration::new(unnamed.to_string(), item));
            (false, &None, None)
        }
        _ => (false, &None, None),
    };
    let misplaced =
        directives.iter().filter_map(|directive| directive.placement_error(DirectiveTarget::Other));
    draft.errors.extend(misplaced);
    if let Some(columns) = columns {
        let name = name.as_ref().map(SqlName::new);
        let key = KeyDeclaration::new(name, primary, columns, item);
        let nulls_equal = matches!(constraint, TableConstraint::Unique(it) if is_null_equal(it));
        table.keys.push(KeyDeclaration { nulls_equal, ..key });
    }
}

/// Whether nulls are compared like other values.
fn is_null_equal(unique: &UniqueConstraint) -> bool {
    unique.nulls_distinct == NullsDistinctOption::NotDistinct
}

/// The columns of a key; nothing where one of them is an expression.
pub(super) fn key_columns(columns: &[IndexColumn]) -> Option<Vec<SqlName>> {
    let name = |column: &IndexColumn| match &column.column.expr {
        Expr::Identifier(name) => Some(SqlName::new(name)),
        _ => None,
    };
    columns.iter().map(name).collect()
}

fn add_reference(
    table: &mut TableDeclaration,
    reference: &ForeignKeyConstraint,
    columns: Vec<SqlName>,
    directives: Vec<Directive>,
    fallback: Span,
) {
    let Some(target) = SqlName::from_object_name(&reference.foreign_table) else { return };
    let target_columns = reference.referred_columns.iter().map(SqlName::new).collect();
    let last = reference.referred_columns.last().and_then(|name| token::byte_span(name.span));
    let span = target.span.union(last.unwrap_or(target.span));
    let span = if span.end == 0 { fallback } else { span };
    table.references.push(ReferenceDeclaration {
        columns,
        target,
        target_columns,
        on_delete: reference_action(reference.on_delete),
        on_update: reference_action(reference.on_update),
        match_full: reference.match_kind == Some(ConstraintReferenceMatchKind::Full),
        directives,
        span,
    });
}

const fn reference_action(written: Option<ReferentialAction>) -> ReferenceAction {
    match written {
        None | Some(ReferentialAction::NoAction) => ReferenceAction::NoAction,
        Some(ReferentialAction::Restrict) => ReferenceAction::Restrict,
        Some(ReferentialAction::Cascade) => ReferenceAction::Cascade,
        Some(ReferentialAction::SetNull) => ReferenceAction::SetNull,
        Some(ReferentialAction::SetDefault) => ReferenceAction::SetDefault,
    }
}
