//! Relations and conditions.

use super::{Print, Printer};
use crate::name::Name;
use crate::relation::{
    ColumnPart, Condition, ConditionPredicate, Conditions, InValues, Operator, Relation,
    RelationKind,
};
use crate::term::Term;

impl Printer {
    fn names(&mut self, names: &[Name]) {
        self.text("(");
        self.list(names);
        self.text(")");
    }

    fn comparison(&mut self, operator: Operator, value: &Term) {
        self.text(" ");
        self.text(operator.text());
        self.text(" ");
        self.node(value);
    }

    /// `WHERE a = 1 AND b = 2`, or nothing.
    pub(super) fn relations(&mut self, relations: &[Relation]) {
        if relations.is_empty() {
            return;
        }
        self.clause();
        self.text("WHERE ");
        self.with_indent(|printer| {
            for (i, relation) in relations.iter().enumerate() {
                if i > 0 {
                    printer.clause();
                    printer.text("AND ");
                }
                printer.node(relation);
            }
        });
    }

    /// `IF a = 1 AND b = 2`, or nothing.
    pub(super) fn conditions(&mut self, conditions: &Conditions) {
        match conditions {
            Conditions::None => {}
            Conditions::Exists => {
                self.clause();
                self.text("IF EXISTS");
            }
            Conditions::All(conditions) => {
                self.clause();
                self.text("IF ");
                self.join(conditions, " AND ", Self::node);
            }
        }
    }
}

impl Print for InValues {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Marker(marker, _) => printer.node(marker),
            Self::List(values) => {
                printer.enclose_list("(", values, ")");
            }
        }
    }
}

impl Print for Relation {
    fn print(&self, printer: &mut Printer) {
        match &self.kind {
            RelationKind::Column(column, operator, value) => {
                printer.node(column);
                printer.comparison(*operator, value);
            }
            RelationKind::In { column, negated, values } => {
                printer.node(column);
                printer.text(if *negated { " NOT IN " } else { " IN " });
                printer.node(values);
            }
            RelationKind::IsNotNull(column) => {
                printer.node(column);
                printer.text(" IS NOT NULL");
            }
            RelationKind::Element(column, key, operator, value) => {
                printer.node(column);
                printer.text("[");
                printer.node(&**key);
                printer.text("]");
                printer.comparison(*operator, value);
            }
            RelationKind::Token(columns, operator, value) => {
                printer.text("token");
                printer.names(columns);
                printer.comparison(*operator, value);
            }
            RelationKind::Tuple(columns, operator, value) => {
                printer.names(columns);
                printer.comparison(*operator, value);
            }
            RelationKind::TupleIn(columns, values) => {
                printer.names(columns);
                printer.text(" IN ");
                printer.node(values);
            }
            RelationKind::Between(column, bounds) => {
                printer.node(column);
                printer.text(" BETWEEN ");
                printer.node(&bounds.0);
                printer.text(" AND ");
                printer.node(&bounds.1);
            }
            RelationKind::CustomIndex(index, value) => {
                printer.text("expr(");
                printer.node(index);
                printer.text(", ");
                printer.node(value);
                printer.text(")");
            }
        }
    }
}

impl Print for Condition {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.column);
        printer.node(&self.part);
        match &self.predicate {
            ConditionPredicate::Compare(operator, value) => printer.comparison(*operator, value),
            ConditionPredicate::In(values) => {
                printer.text(" IN ");
                printer.node(values);
            }
        }
    }
}

impl Print for ColumnPart {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Whole => {}
            Self::Element(key) => {
                printer.text("[");
                printer.node(key);
                printer.text("]");
            }
            Self::Field(field) => {
                printer.text(".");
                printer.node(field);
            }
        }
    }
}
