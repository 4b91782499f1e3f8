//! Statements by columns and their values.

use model::plan::{
    ColumnAssignment, Delete, IfClause, Insert, Modification, Operand, Relation, Select,
    SelectExpression, SelectItem, Update,
};

/// A column and the value that it is compared with or that it gets.
pub(crate) type ColumnValue = (String, Operand);

/// What encloses the elements of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brackets {
    /// `{}`: a set.
    Set,
    /// `[]`: a list.
    List,
}

/// `SELECT columns FROM table WHERE key`; each column with the name it has in the result.
pub(crate) fn select(table: &str, columns: &[(String, String)], key: &[ColumnValue]) -> Select {
    let item = |(column, name): &(String, String)| SelectItem {
        expression: SelectExpression::Column(column.clone()),
        name: name.clone(),
    };
    Select {
        table: table.to_owned(),
        items: columns.iter().map(item).collect(),
        relations: relations(key),
        ..Select::default()
    }
}

/// `INSERT INTO table (...) VALUES (...)`, with a write timestamp where one is given.
pub(crate) fn insert(
    table: &str,
    values: &[ColumnValue],
    condition: &IfClause,
    timestamp: Option<Operand>,
) -> Modification {
    let (table, values) = (table.to_owned(), values.to_vec());
    Modification::Insert(Insert { table, values, condition: condition.clone(), timestamp })
}

/// `UPDATE table SET ... WHERE key`
pub(crate) fn update(
    table: &str,
    assignments: Vec<ColumnAssignment>,
    key: &[ColumnValue],
    condition: &IfClause,
) -> Modification {
    let (table, relations) = (table.to_owned(), relations(key));
    Modification::Update(Update { table, assignments, relations, condition: condition.clone() })
}

/// `DELETE FROM table WHERE key`
pub(crate) fn delete(table: &str, key: &[ColumnValue], condition: &IfClause) -> Modification {
    Modification::Delete(Delete {
        table: table.to_owned(),
        columns: Vec::new(),
        relations: relations(key),
        condition: condition.clone(),
    })
}

/// `DELETE FROM table WHERE key AND bounds`
pub(crate) fn delete_range(
    table: &str,
    key: &[ColumnValue],
    bounds: Vec<Relation>,
) -> Modification {
    Modification::Delete(Delete {
        table: table.to_owned(),
        columns: Vec::new(),
        relations: relations(key).into_iter().chain(bounds).collect(),
        condition: IfClause::Always,
    })
}

fn relations(key: &[ColumnValue]) -> Vec<Relation> {
    key.iter().map(|(name, value)| Relation::equal(name, value.clone())).collect()
}

/// A collection of one element. The server takes no `?` inside brackets.
pub(crate) fn collection_of(element: &Operand, brackets: Brackets) -> Operand {
    match (element, brackets) {
        (Operand::Literal(element), Brackets::Set) => Operand::Literal(format!("{{{element}}}")),
        (Operand::Literal(element), Brackets::List) => Operand::Literal(format!("[{element}]")),
        (element, _) => Operand::Single(Box::new(element.clone())),
    }
}
