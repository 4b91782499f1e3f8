//! `token(a, b) op value`: restrictions of the partition key's token.

use cql::Name;
use cql::relation::{Operator, Relation};
use cql::term::Term;
use cql::types::NativeType;

use super::partition::{TokenRestriction, TokenRestrictionKind};
use super::relation::{existing_column, refuse_not_equal, slice};
use super::restriction::Operand;
use crate::bind::context::{Context, Receiver};
use crate::bind::term::{self, BoundTerm};
use crate::catalog::Table;
use crate::refusal::{RestrictionReason, refuse};
use crate::{Refusal, Result};

/// Checks operator and arguments, and prepares the value.
pub(super) fn prepare(
    cx: &mut Context<'_>,
    table: &Table,
    relation: &Relation,
    names: &[Name],
    value: &Term,
) -> Result<BoundTerm> {
    if let cql::relation::RelationKind::Token(_, operator, _) = &relation.kind {
        match operator {
            Operator::Neq => return Err(refuse_not_equal(relation).into()),
            Operator::Contains | Operator::ContainsKey | Operator::Like => {
                return refuse(
                    RestrictionReason::TokenOperator { operator: operator.text().to_owned() },
                    relation.span,
                );
            }
            _ => {}
        }
    }
    let mut columns = Vec::with_capacity(names.len());
    for name in names {
        columns.push(existing_column(table, name)?);
    }
    check_columns(table, &columns, relation)?;
    let receiver = Receiver {
        keyspace: table.keyspace.clone(),
        table: table.name.clone(),
        name: "partition key token".into(),
        ty: NativeType::Bigint.into(),
    };
    term::prepare(cx, value, &receiver, None)
}

/// The restriction of the token for an operator and a value.
pub(super) fn restriction(
    operator: Operator,
    value: BoundTerm,
    span: cql::Span,
) -> TokenRestriction {
    let kind = match operator {
        Operator::Eq => TokenRestrictionKind::Equal(value),
        _ => TokenRestrictionKind::Slice(slice(operator, Operand::Terms(vec![value]))),
    };
    TokenRestriction { kind, span }
}

fn check_columns(table: &Table, columns: &[usize], relation: &Relation) -> Result<()> {
    let key = table.partition_key().len();
    if columns.iter().copied().eq(0..key) {
        return Ok(());
    }
    let names =
        || table.partition_key().iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ");
    let has_duplicates =
        columns.iter().enumerate().any(|(at, column)| columns[..at].contains(column));
    let reason = if !(0..key).all(|column| columns.contains(&column)) {
        RestrictionReason::TokenOfPart
    } else if has_duplicates {
        RestrictionReason::TokenTwice
    } else if columns.len() != key {
        RestrictionReason::TokenOfOthers
    } else {
        RestrictionReason::TokenOrder { columns: names() }
    };
    let help = format!("write token({})", names());
    Err(Refusal::new(reason, relation.span).with_help(help).into())
}
