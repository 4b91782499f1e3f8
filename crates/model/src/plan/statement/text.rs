//! The text of statements: a marker for each operand, constants written out.

use std::fmt;
use std::sync::Arc;

use cql::printer::identifier;
use cql::relation::Operator;
use cql::types::{Frozen, NativeType, Type};

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
    /// Where it stands in the text.
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
            Self::ListOf(name) => Some(Type::List(Arc::new(of(name)?.clone()), Frozen::Yes)),
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

    fn text(&mut self, text: &str) -> &mut Self {
        self.cql.push_str(text);
        self
    }

    fn name(&mut self, name: &str) -> &mut Self {
        self.cql.push_str(&identifier(name));
        self
    }

    /// A marker, or the constant itself.
    fn value(&mut self, operand: &'a Operand, receiver: Receiver<'a>) -> &mut Self {
        if let Operand::Literal(literal) = operand {
            return self.text(literal);
        }
        self.markers.push(Marker { operand, receiver, offset: self.cql.len() });
        self.text("?")
    }

    /// The items, with something between them.
    fn list<T>(
        &mut self,
        items: &'a [T],
        between: &str,
        mut write: impl FnMut(&mut Self, &'a T),
    ) -> &mut Self {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text(between);
            }
            write(self, item);
        }
        self
    }

    fn names(&mut self, names: &'a [String]) -> &mut Self {
        self.list(names, ", ", |text, name| {
            text.name(name);
        })
    }

    fn item(&mut self, item: &'a SelectItem) {
        match &item.expression {
            SelectExpression::Column(column) => {
                self.name(column);
                if *column == item.name {
                    return;
                }
            }
            SelectExpression::CountRows => _ = self.text("COUNT(*)"),
            SelectExpression::Aggregate { function, column, cast: None } => {
                self.text(function.name()).text("(").name(column).text(")");
            }
            SelectExpression::Aggregate { function, column, cast: Some(ty) } => {
                self.text(function.name()).text("(CAST(").name(column);
                self.text(" AS ").text(ty.name()).text("))");
            }
        }
        self.text(" AS ").name(&item.name);
    }

    fn relation(&mut self, relation: &'a Relation) {
        match relation {
            Relation::Column { column, operator, value } => {
                let receiver = match operator {
                    Operator::Contains => Receiver::ElementOf(column),
                    _ => Receiver::Column(column),
                };
                self.name(column).text(" ").text(operator.text()).text(" ").value(value, receiver);
            }
            Relation::In { column, values } => {
                self.name(column).text(" IN (");
                self.list(values, ", ", |text, value| {
                    text.value(value, Receiver::Column(column));
                });
                self.text(")");
            }
            Relation::InList { column, list } => {
                self.name(column).text(" IN ").value(list, Receiver::ListOf(column));
            }
            Relation::Row { columns, operator, values } => {
                self.text("(").names(columns).text(") ").text(operator.text()).text(" (");
                for (at, (column, value)) in columns.iter().zip(values).enumerate() {
                    let between = if at > 0 { ", " } else { "" };
                    self.text(between).value(value, Receiver::Column(column));
                }
                self.text(")");
            }
        }
    }

    fn filter(&mut self, word: &str, relations: &'a [Relation]) {
        if !relations.is_empty() {
            self.text(word).list(relations, " AND ", Self::relation);
        }
    }

    fn condition(&mut self, condition: &'a IfClause) {
        match condition {
            IfClause::Always => {}
            IfClause::Exists => _ = self.text(" IF EXISTS"),
            IfClause::NotExists => _ = self.text(" IF NOT EXISTS"),
            IfClause::Columns(relations) => self.filter(" IF ", relations),
        }
    }

    fn assignment(&mut self, assignment: &'a ColumnAssignment) {
        let ColumnAssignment { column, operator, value } = assignment;
        self.name(column).text(" = ");
        match operator {
            AssignmentOperator::Set => {}
            AssignmentOperator::Add => _ = self.name(column).text(" + "),
            AssignmentOperator::Subtract => _ = self.name(column).text(" - "),
        }
        self.value(value, Receiver::Column(column));
    }

    fn insert(&mut self, insert: &'a Insert) {
        self.text("INSERT INTO ").name(&insert.table).text(" (");
        self.list(&insert.values, ", ", |text, (name, _)| {
            text.name(name);
        });
        self.text(") VALUES (");
        self.list(&insert.values, ", ", |text, (name, value)| {
            text.value(value, Receiver::Column(name));
        });
        self.text(")").condition(&insert.condition);
        if let Some(timestamp) = &insert.timestamp {
            self.text(" USING TIMESTAMP ").value(timestamp, Receiver::Timestamp);
        }
    }

    fn update(&mut self, update: &'a Update) {
        self.text("UPDATE ").name(&update.table).text(" SET ");
        self.list(&update.assignments, ", ", Self::assignment);
        self.filter(" WHERE ", &update.relations);
        self.condition(&update.condition);
    }

    fn delete(&mut self, delete: &'a Delete) {
        self.text("DELETE ");
        if !delete.columns.is_empty() {
            self.names(&delete.columns).text(" ");
        }
        self.text("FROM ").name(&delete.table);
        self.filter(" WHERE ", &delete.relations);
        self.condition(&delete.condition);
    }

    fn select(&mut self, select: &'a Select) {
        self.text("SELECT ").list(&select.items, ", ", Self::item);
        self.text(" FROM ").name(&select.table);
        self.filter(" WHERE ", &select.relations);
        if !select.group_by.is_empty() {
            self.text(" GROUP BY ").names(&select.group_by);
        }
        if !select.order_by.is_empty() {
            self.text(" ORDER BY ").list(&select.order_by, ", ", |text, (name, direction)| {
                text.name(name).text(match direction {
                    Direction::Ascending => " ASC",
                    Direction::Descending => " DESC",
                });
            });
        }
        match &select.limit {
            Some(RowLimit::Rows(rows)) => _ = self.text(" LIMIT ").text(&rows.to_string()),
            Some(RowLimit::Operand(operand)) => {
                self.text(" LIMIT ").value(operand, Receiver::Limit);
            }
            None => {}
        }
        if select.allow_filtering {
            self.text(" ALLOW FILTERING");
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
        text.select(self);
        text
    }
}

impl Modification {
    /// The statement as it is sent.
    pub fn text(&self) -> StatementText<'_> {
        let mut text = StatementText::default();
        match self {
            Self::Insert(insert) => text.insert(insert),
            Self::Update(update) => text.update(update),
            Self::Delete(delete) => text.delete(delete),
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
