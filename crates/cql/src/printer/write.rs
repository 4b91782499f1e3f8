//! INSERT, UPDATE, DELETE and BATCH.

use super::{Print, Printer};
use crate::statement::write::{
    Assignment, AssignmentOperation, Batch, BatchKind, BatchStatement, Delete, DeleteTarget,
    Insert, InsertValues, Update, UsingClause, UsingPart, WriteKind,
};

impl Printer {
    /// `USING TIMESTAMP t AND TTL n`
    fn using(&mut self, using: &UsingClause) {
        self.text("USING ");
        self.join(&using.parts, " AND ", |printer, part| {
            let (word, term) = match part {
                UsingPart::Timestamp(term) => ("TIMESTAMP ", term),
                UsingPart::Ttl(term) => ("TTL ", term),
            };
            printer.text(word);
            printer.node(term);
        });
    }

    fn using_clause(&mut self, using: &UsingClause) {
        if !using.parts.is_empty() {
            self.clause();
            self.using(using);
        }
    }
}

impl Print for Insert {
    fn print(&self, printer: &mut Printer) {
        printer.text("INSERT INTO ");
        printer.node(&self.table);
        match &self.values {
            InsertValues::Columns { columns, values } => {
                printer.enclose_list(" (", columns, ")");
                printer.clause();
                printer.enclose_list("VALUES (", values, ")");
            }
            InsertValues::Json { value, default_unset } => {
                printer.clause();
                printer.text("JSON ");
                printer.node(value);
                printer.text_if(*default_unset, " DEFAULT UNSET");
            }
        }
        if self.if_not_exists {
            printer.clause();
            printer.text("IF NOT EXISTS");
        }
        printer.using_clause(&self.using);
    }
}

impl Print for Update {
    fn print(&self, printer: &mut Printer) {
        printer.text("UPDATE ");
        printer.node(&self.table);
        printer.using_clause(&self.using);
        printer.clause();
        printer.text("SET ");
        printer.with_indent(|printer| {
            for (i, assignment) in self.assignments.iter().enumerate() {
                if i > 0 {
                    printer.text(",");
                    printer.clause();
                }
                printer.node(assignment);
            }
        });
        printer.relations(&self.relations);
        printer.conditions(&self.conditions);
    }
}

impl Print for Assignment {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.column);
        match &self.operation {
            AssignmentOperation::Set(value) => {
                printer.text(" = ");
                printer.node(value);
            }
            AssignmentOperation::SetElement(key, value) => {
                printer.text("[");
                printer.node(key);
                printer.text("] = ");
                printer.node(value);
            }
            AssignmentOperation::SetField(field, value) => {
                printer.text(".");
                printer.node(field);
                printer.text(" = ");
                printer.node(value);
            }
            AssignmentOperation::Add(value) | AssignmentOperation::Subtract(value) => {
                printer.text(" = ");
                printer.node(&self.column);
                let add = matches!(self.operation, AssignmentOperation::Add(_));
                printer.text(if add { " + " } else { " - " });
                printer.node(value);
            }
            AssignmentOperation::Prepend(value) => {
                printer.text(" = ");
                printer.node(value);
                printer.text(" + ");
                printer.node(&self.column);
            }
        }
    }
}

impl Print for Delete {
    fn print(&self, printer: &mut Printer) {
        printer.text("DELETE ");
        printer.list(&self.targets);
        if !self.targets.is_empty() {
            printer.clause();
        }
        printer.text("FROM ");
        printer.node(&self.table);
        printer.using_clause(&self.using);
        printer.relations(&self.relations);
        printer.conditions(&self.conditions);
    }
}

impl Print for DeleteTarget {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.column);
        printer.node(&self.part);
    }
}

impl Print for Batch {
    fn print(&self, printer: &mut Printer) {
        printer.text(match self.kind {
            BatchKind::Logged => "BEGIN BATCH",
            BatchKind::Unlogged => "BEGIN UNLOGGED BATCH",
            BatchKind::Counter => "BEGIN COUNTER BATCH",
        });
        if !self.using.parts.is_empty() {
            printer.text(" ");
            printer.using(&self.using);
        }
        printer.with_indent(|printer| {
            for statement in &self.statements {
                printer.line();
                printer.node(statement);
                printer.text(";");
            }
        });
        printer.line();
        printer.text("APPLY BATCH");
    }
}

impl Print for BatchStatement {
    fn print(&self, printer: &mut Printer) {
        printer.fit_line(|printer| match &self.kind {
            WriteKind::Insert(insert) => insert.print(printer),
            WriteKind::Update(update) => update.print(printer),
            WriteKind::Delete(delete) => delete.print(printer),
        });
    }
}
