//! Unique indexes over expressions: each expression becomes a generated column that no statement
//! names, so that the index is a key of columns.

use std::collections::BTreeSet;

use sqlparser::ast::Expr;

use super::super::draft::ModelDraft;
use super::super::expression::ExpressionReader;
use super::super::source::SqlName;
use super::super::table::{ColumnDeclaration, ExpressionKey, KeyDeclaration, TableDeclaration};
use super::super::types::SqlType;
use super::generation::is_never_null;
use crate::id::{AttributeId, IdList};

/// A column of such a key.
enum KeyPart {
    Column(SqlName),
    Expression(Box<GeneratedPart>),
}

/// What a generated column is made of.
struct GeneratedPart {
    expression: Expr,
    ty: SqlType,
    columns: Vec<AttributeId>,
    not_null: bool,
}

/// Adds the keys of the unique indexes over expressions; those that no client can compute are only
/// stated.
pub(super) fn add_expression_keys(draft: &ModelDraft, table: &mut TableDeclaration) {
    for key in std::mem::take(&mut table.expression_keys) {
        let parts: Option<Vec<KeyPart>> =
            key.parts.iter().map(|part| read_part(draft, table, part)).collect();
        match parts {
            Some(parts) => add_key(table, key, parts),
            None => table.clauses.push(key.clause),
        }
    }
}

fn read_part(draft: &ModelDraft, table: &TableDeclaration, part: &Expr) -> Option<KeyPart> {
    if let Expr::Identifier(name) = part {
        return Some(KeyPart::Column(SqlName::new(name)));
    }
    let column = |name: &str| {
        let at = *table.positions.get(name)?;
        Some((at, table.columns[at.index()].ty.as_ref()?.ty.clone()))
    };
    let reader = ExpressionReader { types: &draft.types, column: &column };
    let (expression, ty) = reader.infer(part).ok()?;
    let used: BTreeSet<AttributeId> = expression.columns().into_iter().copied().collect();
    let columns: Vec<AttributeId> = used.into_iter().collect();
    // A generated column depends on columns that are not generated themselves.
    let is_plain = |at: &AttributeId| table.columns[at.index()].generated.is_none();
    if columns.is_empty() || !columns.iter().all(is_plain) {
        return None;
    }
    let is_nullable = |at: &AttributeId| !table.columns[at.index()].not_null;
    let not_null = is_never_null(&is_nullable, &expression);
    let ty = SqlType::from_type(ty.into());
    let generated = GeneratedPart { expression: part.clone(), ty, columns, not_null };
    Some(KeyPart::Expression(Box::new(generated)))
}

fn add_key(table: &mut TableDeclaration, key: ExpressionKey, parts: Vec<KeyPart>) {
    let named = parts.into_iter().map(|part| match part {
        KeyPart::Column(name) => name,
        KeyPart::Expression(part) => add_generated_column(table, *part, &key),
    });
    let columns = named.collect();
    let ExpressionKey { condition, nulls_equal, span, .. } = key;
    let (name, primary) = (None, false);
    table.keys.push(KeyDeclaration { name, primary, columns, condition, nulls_equal, span });
}

/// The column of an expression; one that another index has made is used again.
fn add_generated_column(
    table: &mut TableDeclaration,
    part: GeneratedPart,
    key: &ExpressionKey,
) -> SqlName {
    let is_same = |column: &&ColumnDeclaration| {
        column.hidden && column.generated.as_deref() == Some(&part.expression)
    };
    if let Some(known) = table.columns.iter().find(is_same) {
        return known.name.clone();
    }
    let name = SqlName { text: choose_name(table, &part), span: key.span };
    table.positions.insert(name.text.clone(), table.columns.next_id());
    table.columns.push(ColumnDeclaration {
        name: name.clone(),
        ty: Some(part.ty),
        not_null: part.not_null,
        default: None,
        generated: Some(Box::new(part.expression)),
        hidden: true,
        directives: Vec::new(),
    });
    name
}

/// A name that no column has: those of its columns, and of the function.
fn choose_name(table: &TableDeclaration, part: &GeneratedPart) -> String {
    let mut words: Vec<String> =
        part.columns.iter().map(|at| table.columns[at.index()].name.text.clone()).collect();
    let function = match &part.expression {
        Expr::Function(function) => SqlName::from_object_name(&function.name),
        _ => None,
    };
    words.push(function.map_or_else(|| "key".to_owned(), |name| name.text));
    let first = words.join("_");
    let others = (2..).map(|number| format!("{first}_{number}"));
    let mut names = std::iter::once(first.clone()).chain(others);
    names.find(|name| !table.positions.contains_key(name)).unwrap_or_default()
}
