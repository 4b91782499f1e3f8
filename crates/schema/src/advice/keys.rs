//! Helps that depend on the key: which relation is missing, or which key would serve the query.

use std::sync::Arc;

use cql::relation::{Operator, Relation, RelationKind};
use cql::statement::select::Select;
use cql::{Statement, StatementKind};

use super::Scope;
use super::{keyspace_of, tables};
use crate::Reason;
use crate::catalog::{Column, Table};
use crate::refusal::RestrictionReason as R;

pub(super) fn help(reason: &Reason, scope: Scope<'_>, statement: &Statement) -> Option<String> {
    match (reason, &statement.kind) {
        (
            Reason::Restriction(
                R::MissingPartitionKey { columns } | R::MissingClustering { columns },
            ),
            kind,
        ) => Some(missing(columns, kind)),
        (Reason::Restriction(R::Gap { column, preceding }), _) => Some(format!(
            "restrict {preceding} with = as well, or add a table clustered by {column} before {preceding}"
        )),
        (reason, StatementKind::Select(select)) => {
            let table = table(scope, statement)?;
            match reason.rule() {
                "QV001" => Some(filtering(&table, select)),
                "QV010" => Some(format!(
                    "restrict the partition key ({}) with =, or sort in the application",
                    names(table.partition_key())
                )),
                "QV011" => Some(ordering(&table, select)),
                "QV012" if !table.clustering().is_empty() => Some(format!(
                    "order by the clustering columns in their declared order: {}",
                    names(table.clustering())
                )),
                _ => None,
            }
        }
        _ => None,
    }
}

fn table(scope: Scope<'_>, statement: &Statement) -> Option<Arc<Table>> {
    let name = tables(statement).into_iter().next()?;
    scope.catalog.table(keyspace_of(scope, name)?, &name.name.text).cloned()
}

/// The help for missing columns of the key.
fn missing(columns: &str, kind: &StatementKind) -> String {
    if matches!(kind, StatementKind::Insert(_)) {
        return format!("provide values for {columns}");
    }
    let relations: Vec<_> = columns.split(", ").map(|column| format!("{column} = ?")).collect();
    format!("add to WHERE: {}", relations.join(" AND "))
}

/// The help for a query that needs filtering.
fn filtering(table: &Table, select: &Select) -> String {
    let equal = restriction_columns(select, true);
    let ranged = restriction_columns(select, false);
    let partition = table.partition_key();
    let open: Vec<_> = partition.iter().filter(|column| !equal.contains(&&*column.name)).collect();
    let is_partition = |name: &&str| partition.iter().any(|column| &*column.name == *name);
    if !open.is_empty() && ranged.is_empty() && !equal.is_empty() && equal.iter().all(is_partition)
    {
        let relations: Vec<_> =
            open.iter().map(|column| format!("AND {} = ?", column.name)).collect();
        return format!("restrict the whole partition key: add {}", relations.join(" "));
    }
    if equal.is_empty() {
        return "restrict a column with =, and add a table whose partition key is that column"
            .to_owned();
    }
    let rest = ranged.iter().copied().chain(table.primary_key().iter().map(|column| &*column.name));
    let mut key = vec![format!("({})", equal.join(", "))];
    for name in rest {
        if !equal.contains(&name) && !key.iter().any(|column| column == name) {
            key.push(name.to_owned());
        }
    }
    format!(
        "add a table for this query: PRIMARY KEY ({}); at a low request rate an SAI index may be sufficient",
        key.join(", ")
    )
}

fn ordering(table: &Table, select: &Select) -> String {
    let ordered_by: Vec<_> =
        select.order_by.iter().map(|ordering| &*ordering.column.text).collect();
    format!(
        "add a table clustered by {} under ({}), or sort in the application",
        ordered_by.join(", "),
        names(table.partition_key())
    )
}

/// The columns that a WHERE clause restricts with = or IN, or those it restricts otherwise.
fn restriction_columns(select: &Select, equal: bool) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for Relation { kind, .. } in &select.relations {
        let is_equal = match kind {
            RelationKind::Column(_, operator, _) | RelationKind::Tuple(_, operator, _) => {
                *operator == Operator::Eq
            }
            RelationKind::In { .. } | RelationKind::TupleIn(..) => true,
            RelationKind::Between(..) => false,
            _ => continue,
        };
        for column in kind.columns() {
            if is_equal == equal && !names.contains(&&*column.text) {
                names.push(&column.text);
            }
        }
    }
    names
}

fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ")
}
