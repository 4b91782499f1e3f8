//! Keyspaces, types, indexes, DESCRIBE and cqlsh commands.

use super::{Print, Printer};
use crate::statement::describe::{Describe, DescribeTarget};
use crate::statement::index::{CreateIndex, DropIndex, IndexTarget, IndexTargetKind};
use crate::statement::keyspace::{AlterKeyspace, CreateKeyspace, DropKeyspace, Use};
use crate::statement::shell::ShellCommand;
use crate::statement::user_type::{AlterType, CreateType, DropType, TypeChange};

impl Print for Use {
    fn print(&self, printer: &mut Printer) {
        printer.text("USE ");
        printer.node(&self.keyspace);
    }
}

impl Print for CreateKeyspace {
    fn print(&self, printer: &mut Printer) {
        printer.text("CREATE KEYSPACE ");
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.node(&self.name);
        printer.properties(&self.properties);
    }
}

impl Print for AlterKeyspace {
    fn print(&self, printer: &mut Printer) {
        printer.text("ALTER KEYSPACE ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
        printer.properties(&self.properties);
    }
}

impl Print for DropKeyspace {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP KEYSPACE ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
    }
}

impl Print for CreateType {
    fn print(&self, printer: &mut Printer) {
        printer.text("CREATE TYPE ");
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.user_type(&self.name);
        printer.text(" ");
        printer.block(self.fields.len(), |printer, i| {
            if let Some((name, type_name)) = self.fields.get(i) {
                printer.node(name);
                printer.text(" ");
                printer.node(type_name);
            }
        });
    }
}

impl Print for AlterType {
    fn print(&self, printer: &mut Printer) {
        printer.text("ALTER TYPE ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.user_type(&self.name);
        match &self.change {
            TypeChange::Alter(field, type_name) => {
                printer.text(" ALTER ");
                printer.node(field);
                printer.text(" TYPE ");
                printer.node(type_name);
            }
            TypeChange::Add { if_not_exists, field, type_name } => {
                printer.text(" ADD ");
                printer.text_if(*if_not_exists, "IF NOT EXISTS ");
                printer.node(field);
                printer.text(" ");
                printer.node(type_name);
            }
            TypeChange::Rename { if_exists, fields } => {
                printer.text(" RENAME ");
                printer.text_if(*if_exists, "IF EXISTS ");
                printer.renames(fields);
            }
        }
    }
}

impl Print for DropType {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP TYPE ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.user_type(&self.name);
    }
}

impl Print for CreateIndex {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.custom { "CREATE CUSTOM INDEX " } else { "CREATE INDEX " });
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        if let Some(name) = &self.name {
            printer.node(name);
            printer.text(" ");
        }
        printer.text("ON ");
        printer.node(&self.table);
        printer.enclose_list(" (", &self.targets, ")");
        if let Some(class) = &self.class {
            printer.clause();
            printer.text("USING ");
            printer.string(class);
        }
        printer.properties(&self.properties);
    }
}

impl Print for IndexTarget {
    fn print(&self, printer: &mut Printer) {
        let word = match self.kind {
            IndexTargetKind::Simple => return printer.node(&self.column),
            IndexTargetKind::Values => "values(",
            IndexTargetKind::Keys => "keys(",
            IndexTargetKind::Entries => "entries(",
            IndexTargetKind::Full => "full(",
        };
        printer.text(word);
        printer.node(&self.column);
        printer.text(")");
    }
}

impl Print for DropIndex {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP INDEX ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
    }
}

impl Print for Describe {
    fn print(&self, printer: &mut Printer) {
        printer.text("DESCRIBE ");
        let (word, name) = match &self.target {
            DescribeTarget::Cluster => ("CLUSTER", None),
            DescribeTarget::Schema { full: true } => ("FULL SCHEMA", None),
            DescribeTarget::Schema { full: false } => ("SCHEMA", None),
            DescribeTarget::Keyspaces => ("KEYSPACES", None),
            DescribeTarget::Tables => ("TABLES", None),
            DescribeTarget::Types => ("TYPES", None),
            DescribeTarget::Functions => ("FUNCTIONS", None),
            DescribeTarget::Aggregates => ("AGGREGATES", None),
            DescribeTarget::Keyspace { only, name } => {
                printer.text(if *only { "ONLY KEYSPACE" } else { "KEYSPACE" });
                if let Some(name) = name {
                    printer.text(" ");
                    printer.node(name);
                }
                ("", None)
            }
            DescribeTarget::Table(name) => ("TABLE ", Some(name)),
            DescribeTarget::Index(name) => ("INDEX ", Some(name)),
            DescribeTarget::View(name) => ("MATERIALIZED VIEW ", Some(name)),
            DescribeTarget::Anything(name) => ("", Some(name)),
            DescribeTarget::Type(name) => {
                printer.text("TYPE ");
                printer.user_type(name);
                ("", None)
            }
            DescribeTarget::Function(name) | DescribeTarget::Aggregate(name) => {
                let aggregate = matches!(self.target, DescribeTarget::Aggregate(_));
                printer.text(if aggregate { "AGGREGATE " } else { "FUNCTION " });
                printer.function(name);
                ("", None)
            }
        };
        printer.text(word);
        if let Some(name) = name {
            printer.node(name);
        }
        printer.text_if(self.with_internals, " WITH INTERNALS");
    }
}

impl Print for ShellCommand {
    fn print(&self, printer: &mut Printer) {
        printer.text(self.word);
        printer.text_if(!self.rest.is_empty(), " ");
        printer.text(&self.rest);
    }
}
