//! Statements of CQL as statements of SQL, as model files use them.

use cql::StatementKind;
use cql::name::Name;
use cql::relation::{Relation, RelationKind};
use cql::selectable::SelectableKind;
use cql::statement::select::Select;
use cql::statement::write::{AssignmentOperation, InsertValues};
use schema::catalog::Table;

use super::model_text::name_text;

/// A named statement of a model file.
pub(super) struct TranslatedStatement {
    pub(super) name: String,
    /// `one`, `many` or `exec`.
    pub(super) kind: &'static str,
    pub(super) sql: String,
}

/// Translates a statement, or tells why it cannot be.
pub(super) fn translate_statement(
    statement: &StatementKind,
    table: &Table,
) -> Result<TranslatedStatement, &'static str> {
    let name = name_text(&table.name);
    match statement {
        StatementKind::Select(select) => translate_select(select, table),
        StatementKind::Insert(insert) => {
            let InsertValues::Columns { columns, .. } = &insert.values else {
                return Err("it inserts a JSON document");
            };
            let markers = vec!["?"; columns.len()].join(", ");
            let sql = format!("INSERT INTO {name} ({}) VALUES ({markers})", list(columns));
            Ok(TranslatedStatement { name: title("Insert", table, &[]), kind: "exec", sql })
        }
        StatementKind::Update(update) => {
            let mut assignments = Vec::new();
            for assignment in &update.assignments {
                let column = name_text(&assignment.column.text);
                let ty = table.column(&assignment.column.text).map(|column| &column.ty);
                let is_counter = ty.is_some_and(|ty| ty.is_counter());
                assignments.push(match &assignment.operation {
                    AssignmentOperation::Set(_) => format!("{column} = ?"),
                    AssignmentOperation::Add(_) if is_counter => format!("{column} = {column} + ?"),
                    AssignmentOperation::Subtract(_) if is_counter => {
                        format!("{column} = {column} - ?")
                    }
                    _ => return Err("it changes a part of a collection"),
                });
            }
            let (condition, columns) = translate_relations(&update.relations)?;
            let sql = format!("UPDATE {name} SET {} WHERE {condition}", assignments.join(", "));
            Ok(TranslatedStatement { name: title("Update", table, &columns), kind: "exec", sql })
        }
        StatementKind::Delete(delete) => {
            if !delete.targets.is_empty() {
                return Err("it deletes columns");
            }
            let (condition, columns) = translate_relations(&delete.relations)?;
            let sql = format!("DELETE FROM {name} WHERE {condition}");
            Ok(TranslatedStatement { name: title("Delete", table, &columns), kind: "exec", sql })
        }
        _ => Err("it is no statement on rows"),
    }
}

fn translate_select(select: &Select, table: &Table) -> Result<TranslatedStatement, &'static str> {
    let mut selected = Vec::new();
    for selector in &select.selectors {
        match &selector.expression.kind {
            SelectableKind::Column(column) => selected.push(name_text(&column.text)),
            SelectableKind::CountRows => selected.push("count(*)".to_owned()),
            _ => return Err("it selects something else than columns"),
        }
    }
    let selected = if selected.is_empty() { "*".to_owned() } else { selected.join(", ") };
    let mut sql = format!("SELECT {selected} FROM {}", name_text(&table.name));
    let (condition, columns) = translate_relations(&select.relations)?;
    if !condition.is_empty() {
        sql.push_str(" WHERE ");
        sql.push_str(&condition);
    }
    if !select.group_by.is_empty() || select.per_partition_limit.is_some() {
        return Err("it groups rows or limits partitions");
    }
    let orders: Vec<String> = if select.order_by.is_empty() {
        find_stored_order(select, table)
    } else {
        let order = |name: &str, descending| {
            format!("{}{}", name_text(name), if descending { " DESC" } else { "" })
        };
        select.order_by.iter().map(|it| order(&it.column.text, it.descending)).collect()
    };
    if !orders.is_empty() {
        sql.push_str(" ORDER BY ");
        sql.push_str(&orders.join(", "));
    }
    if select.limit.is_some() {
        sql.push_str(" LIMIT 100");
    }
    let restricted = |name: &str| columns.iter().any(|column| &**column == name);
    let is_one = table.primary_key().iter().all(|column| restricted(&column.name));
    let kind = if is_one { "one" } else { "many" };
    Ok(TranslatedStatement { name: title("Select", table, &columns), kind, sql })
}

/// The order in which the rows of a partition come without ORDER BY; with a LIMIT the client relies
/// on it.
fn find_stored_order(select: &Select, table: &Table) -> Vec<String> {
    let restricted = |name: &str| {
        select
            .relations
            .iter()
            .any(|it| it.kind.columns().iter().any(|column| &*column.text == name))
    };
    let is_partition = table.partition_key().iter().all(|column| restricted(&column.name));
    if select.limit.is_none() || !is_partition {
        return Vec::new();
    }
    let order =
        table.clustering().iter().filter(|column| !restricted(&column.name)).map(|column| {
            format!("{}{}", name_text(&column.name), if column.descending { " DESC" } else { "" })
        });
    order.collect()
}

/// The conditions, and the columns that they restrict.
fn translate_relations(relations: &[Relation]) -> Result<(String, Vec<Box<str>>), &'static str> {
    let mut conditions = Vec::new();
    let mut columns = Vec::new();
    for relation in relations {
        match &relation.kind {
            RelationKind::Column(column, operator, _) => match operator.text() {
                "CONTAINS" => conditions.push(format!("? = ANY({})", name_text(&column.text))),
                operator @ ("=" | "<" | "<=" | ">" | ">=") => {
                    conditions.push(format!("{} {operator} ?", name_text(&column.text)));
                }
                _ => return Err("SQL has no such operator"),
            },
            RelationKind::In { column, negated: false, .. } => {
                conditions.push(format!("{} = ANY(?)", name_text(&column.text)));
            }
            RelationKind::Token(..) => return Err("it reads a range of tokens"),
            _ => return Err("its conditions have no counterpart in SQL"),
        }
        columns.extend(relation.kind.columns().iter().map(|column| column.text.clone()));
    }
    Ok((conditions.join(" AND "), columns))
}

fn list(columns: &[Name]) -> String {
    columns.iter().map(|column| name_text(&column.text)).collect::<Vec<_>>().join(", ")
}

/// `SelectUsersByCountry`
fn title(verb: &str, table: &Table, columns: &[Box<str>]) -> String {
    let mut name = format!("{verb}{}", capitalise(&table.name));
    for (at, column) in columns.iter().enumerate() {
        name.push_str(if at == 0 { "By" } else { "And" });
        name.push_str(&capitalise(column));
    }
    name
}

fn capitalise(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let mut characters = word.chars();
        let first = characters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    });
    words.collect()
}
