//! The CQL text of statements, with a marker for each operand that is not a constant.

use std::fmt;
use std::sync::Arc;

use cql::printer::identifier;
use cql::relation::Operator;
use cql::types::{Frozenness, NativeType, Type};

use super::{
    AggregateFunction, AssignmentOperator, ColumnAssignment, Delete, IfClause, Insert,
    Modification, Relation, RowLimit, Select, SelectExpression, SelectItem, Update,
};
use crate::plan::{Direction, Operand, PlannedTable};

/// A statement as it is sent, and its markers in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementText<'a> {
    /// The statement, with `?` for each marker.
    pub cql: String,
    /// The markers.
    pub markers: Vec<Marker<'a>>,
}

/// A `?` of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker<'a> {
    /// Where its value comes from.
    pub operand: &'a Operand,
    /// What the value is for.
    pub receiver: Receiver<'a>,
    /// Its offset in the text.
    offset: usize,
}

/// What the value of a marker is for, which decides its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver<'a> {
    /// A value of the column of this name.
    Column(&'a str),
    /// A list of values of the column: `IN ?`
    ListOf(&'a str),
    /// An element of the column: `CONTAINS ?`
    ElementOf(&'a str),
    /// LIMIT.
    Limit,
    /// USING TIMESTAMP.
    Timestamp,
}

impl Receiver<'_> {
    /// The type of the value, in a statement on a table; `None` where the table has no such column.
    pub fn ty(self, table: &PlannedTable) -> Option<Type> {
        let of = |name: &str| table.column(name).map(|column| &column.ty);
        match self {
            Self::Column(name) => of(name).cloned(),
            Self::ListOf(name) => Some(Type::List(Arc::new(of(name)?.clone()), Frozenness::Yes)),
            Self::ElementOf(name) => match of(name)? {
                Type::List(element, _) | Type::Set(element, _) => Some(Type::clone(element)),
                _ => None,
            },
            Self::Limit => Some(NativeType::Int.into()),
            Self::Timestamp => Some(NativeType::Bigint.into()),
        }
    }
}

impl<'a> StatementText<'a> {
    /// The operands of the markers, in order.
    pub fn operands(&self) -> Vec<&'a Operand> {
        self.markers.iter().map(|marker| marker.operand).collect()
    }

    /// The statement with these texts in place of its markers.
    pub fn with_values<'v>(&self, values: impl IntoIterator<Item = &'v str>) -> String {
        let mut text = String::with_capacity(self.cql.len());
        let mut rest = 0;
        for (marker, value) in self.markers.iter().zip(values) {
            text.push_str(self.cql.get(rest..marker.offset).unwrap_or_default());
            text.push_str(value);
            rest = marker.offset + 1;
        }
        text.push_str(self.cql.get(rest..).unwrap_or_default());
        text
    }

    fn push_text(&mut self, text: &str) -> &mut Self {
        self.cql.push_str(text);
        self
    }

    fn push_name(&mut self, name: &str) -> &mut Self {
        self.cql.push_str(&identifier(name));
        self
    }

    /// A marker, or the constant itself.
    fn push_value(&mut self, operand: &'a Operand, receiver: Receiver<'a>) -> &mut Self {
        if let Operand::Literal(literal) = operand {
            return self.push_text(literal);
        }
        self.markers.push(Marker { operand, receiver, offset: self.cql.len() });
        self.push_text("?")
    }

    /// The items, with something between them.
    fn push_list<T>(
        &mut self,
        items: &'a [T],
        between: &str,
        mut write: impl FnMut(&mut Self, &'a T),
    ) -> &mut Self {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.push_text(between);
            }
            write(self, item);
        }
        self
    }

    fn push_names(&mut self, names: &'a [String]) -> &mut Self {
        self.push_list(names, ", ", |text, name| {
            text.push_name(name);
        })
    }

    fn push_item(&mut self, item: &'a SelectItem) {
        match &item.expression {
            SelectExpression::Column(column) => {
                self.push_name(column);
                if *column == item.name {
                    return;
                }
            }
            SelectExpression::CountRows => _ = self.push_text("COUNT(*)"),
            SelectExpression::Aggregate { function, column, cast: None } => {
                self.push_text(function.name()).push_text("(").push_name(column).push_text(")");
            }
            SelectExpression::Aggregate { function, column, cast: Some(ty) } => {
                self.push_text(function.name()).push_text("(CAST(").push_name(column);
                self.push_text(" AS ").push_text(ty.name()).push_text("))");
            }
        }
        self.push_text(" AS ").push_name(&item.name);
    }

    fn push_relation(&mut self, relation: &'a Relation) {
        match relation {
            Relation::Column { column, operator, value } => {
                let receiver = match operator {
                    Operator::Contains => Receiver::ElementOf(column),
                    _ => Receiver::Column(column),
                };
                self.push_name(column)
                    .push_text(" ")
                    .push_text(operator.text())
                    .push_text(" ")
                    .push_value(value, receiver);
            }
            Relation::In { column, values } => {
                self.push_name(column).push_text(" IN (");
                self.push_list(values, ", ", |text, value| {
                    text.push_value(value, Receiver::Column(column));
                });
                self.push_text(")");
            }
            Relation::InList { column, list } => {
                self.push_name(column).push_text(" IN ").push_value(list, Receiver::ListOf(column));
            }
            Relation::Row { columns, operator, values } => {
                self.push_text("(")
                    .push_names(columns)
                    .push_text(") ")
                    .push_text(operator.text())
                    .push_text(" (");
                for (at, (column, value)) in columns.iter().zip(values).enumerate() {
                    let between = if at > 0 { ", " } else { "" };
                    self.push_text(between).push_value(value, Receiver::Column(column));
                }
                self.push_text(")");
            }
        }
    }

    fn push_relations(&mut self, word: &str, relations: &'a [Relation]) {
        if !relations.is_empty() {
            self.push_text(word).push_list(relations, " AND ", Self::push_relation);
        }
    }

    fn push_condition(&mut self, condition: &'a IfClause) {
        match condition {
            IfClause::Always => {}
            IfClause::Exists => _ = self.push_text(" IF EXISTS"),
            IfClause::NotExists => _ = self.push_text(" IF NOT EXISTS"),
            IfClause::Columns(relations) => self.push_relations(" IF ", relations),
        }
    }

    fn push_assignment(&mut self, assignment: &'a ColumnAssignment) {
        let ColumnAssignment { column, operator, value } = assignment;
        self.push_name(column).push_text(" = ");
        match operator {
            AssignmentOperator::Set => {}
            AssignmentOperator::Add => _ = self.push_name(column).push_text(" + "),
            AssignmentOperator::Subtract => _ = self.push_name(column).push_text(" - "),
        }
        self.push_value(value, Receiver::Column(column));
    }

    fn push_insert(&mut self, insert: &'a Insert) {
        self.push_text("INSERT INTO ").push_name(&insert.table).push_text(" (");
        self.push_list(&insert.values, ", ", |text, (name, _)| {
            text.push_name(name);
        });
        self.push_text(") VALUES (");
        self.push_list(&insert.values, ", ", |text, (name, value)| {
            text.push_value(value, Receiver::Column(name));
        });
        self.push_text(")").push_condition(&insert.condition);
        if let Some(timestamp) = &insert.timestamp {
            self.push_text(" USING TIMESTAMP ").push_value(timestamp, Receiver::Timestamp);
        }
    }

    fn push_update(&mut self, update: &'a Update) {
        self.push_text("UPDATE ").push_name(&update.table).push_text(" SET ");
        self.push_list(&update.assignments, ", ", Self::push_assignment);
        self.push_relations(" WHERE ", &update.relations);
        self.push_condition(&update.condition);
    }

    fn push_delete(&mut self, delete: &'a Delete) {
        self.push_text("DELETE ");
        if !delete.columns.is_empty() {
            self.push_names(&delete.columns).push_text(" ");
        }
        self.push_text("FROM ").push_name(&delete.table);
        self.push_relations(" WHERE ", &delete.relations);
        self.push_condition(&delete.condition);
    }

    fn push_select(&mut self, select: &'a Select) {
        self.push_text("SELECT ").push_list(&select.items, ", ", Self::push_item);
        self.push_text(" FROM ").push_name(&select.table);
        self.push_relations(" WHERE ", &select.relations);
        if !select.group_by.is_empty() {
            self.push_text(" GROUP BY ").push_names(&select.group_by);
        }
        if !select.order_by.is_empty() {
            self.push_text(" ORDER BY ").push_list(
                &select.order_by,
                ", ",
                |text, (name, direction)| {
                    text.push_name(name).push_text(match direction {
                        Direction::Ascending => " ASC",
                        Direction::Descending => " DESC",
                    });
                },
            );
        }
        match &select.limit {
            Some(RowLimit::Rows(rows)) => {
                _ = self.push_text(" LIMIT ").push_text(&rows.to_string());
            }
            Some(RowLimit::Operand(operand)) => {
                self.push_text(" LIMIT ").push_value(operand, Receiver::Limit);
            }
            None => {}
        }
        if select.allow_filtering {
            self.push_text(" ALLOW FILTERING");
        }
    }
}

impl AggregateFunction {
    const fn name(self) -> &'static str {
        match self {
            Self::Count => "COUNT",
            Self::Sum => "SUM",
            Self::Min => "MIN",
            Self::Max => "MAX",
        }
    }
}

impl Select {
    /// The statement as it is sent.
    pub fn text(&self) -> StatementText<'_> {
        let mut text = StatementText::default();
        text.push_select(self);
        text
    }
}

impl Modification {
    /// The statement as it is sent.
    pub fn text(&self) -> StatementText<'_> {
        let mut text = StatementText::default();
        match self {
            Self::Insert(insert) => text.push_insert(insert),
            Self::Update(update) => text.push_update(update),
            Self::Delete(delete) => text.push_delete(delete),
        }
        text
    }
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text().cql)
    }
}

impl fmt::Display for Modification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text().cql)
    }
}
