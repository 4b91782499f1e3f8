//! Tables and views.

use super::{Layout, Print, Printer};
use crate::name::Name;
use crate::property::Property;
use crate::statement::table::{
    AlterTable, ClusteringOrder, ColumnDefinition, CreateTable, DropTable, Mask, PrimaryKey,
    TableChange, TableOptions, Truncate,
};
use crate::statement::view::{AlterView, CreateView, DropView};

impl Printer {
    /// `WITH a = 1 AND b = 2`: a single option stays on the line, several have a line each.
    pub(super) fn properties(&mut self, properties: &[Property]) {
        let options: Vec<&dyn Print> =
            properties.iter().map(|property| property as &dyn Print).collect();
        self.options(&options, false);
    }

    /// The WITH clause, on the current line if a closing parenthesis precedes it.
    fn options(&mut self, options: &[&dyn Print], inline: bool) {
        let lines = self.layout != Layout::Flat && options.len() > 1;
        for (i, option) in options.iter().enumerate() {
            if lines && (i > 0 || !inline) {
                self.new_line();
                self.text_if(i > 0, "  ");
            } else {
                self.text(" ");
            }
            self.text(if i == 0 { "WITH " } else { "AND " });
            option.print(self);
        }
    }

    fn table_options(&mut self, options: &TableOptions, inline: bool) {
        let order = ClusteringOrders(&options.clustering_order);
        let mut parts: Vec<&dyn Print> = Vec::new();
        if !options.clustering_order.is_empty() {
            parts.push(&order);
        }
        if options.compact_storage.is_some() {
            parts.push(&CompactStorage);
        }
        parts.extend(options.properties.iter().map(|property| property as &dyn Print));
        self.options(&parts, inline);
    }

    /// `a TO b AND c TO d`
    pub(super) fn renames(&mut self, names: &[(Name, Name)]) {
        self.join(names, " AND ", |printer, (from, to)| {
            printer.node(from);
            printer.text(" TO ");
            printer.node(to);
        });
    }
}

struct CompactStorage;

impl Print for CompactStorage {
    fn print(&self, printer: &mut Printer) {
        printer.text("COMPACT STORAGE");
    }
}

struct ClusteringOrders<'a>(&'a [ClusteringOrder]);

impl Print for ClusteringOrders<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.text("CLUSTERING ORDER BY (");
        printer.join(self.0, ", ", |printer, order| {
            printer.node(&order.column);
            printer.text(if order.descending { " DESC" } else { " ASC" });
        });
        printer.text(")");
    }
}

impl Print for CreateTable {
    fn print(&self, printer: &mut Printer) {
        printer.text("CREATE TABLE ");
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.node(&self.name);
        if let Some(like) = &self.like {
            printer.text(" LIKE ");
            printer.node(like);
        } else {
            printer.text(" ");
            let columns = self.columns.len();
            printer.block(columns + self.primary_keys.len(), |printer, i| {
                match (self.columns.get(i), self.primary_keys.get(i.saturating_sub(columns))) {
                    (Some(column), _) => printer.node(column),
                    (None, Some(key)) => printer.node(key),
                    (None, None) => {}
                }
            });
        }
        printer.table_options(&self.options, true);
    }
}

impl Print for ColumnDefinition {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.name);
        printer.text(" ");
        printer.node(&self.type_name);
        printer.text_if(self.is_static, " STATIC");
        if let Some(mask) = &self.mask {
            printer.text(" ");
            printer.node(&**mask);
        }
        printer.text_if(self.primary_key, " PRIMARY KEY");
    }
}

impl Print for Mask {
    fn print(&self, printer: &mut Printer) {
        printer.text("MASKED WITH ");
        match &self.function {
            None => printer.text("DEFAULT"),
            Some(function) => {
                printer.function(function);
                printer.enclose_list("(", &self.arguments, ")");
            }
        }
    }
}

impl Print for PrimaryKey {
    fn print(&self, printer: &mut Printer) {
        let composite = self.partition.len() > 1;
        printer.text(if composite { "PRIMARY KEY ((" } else { "PRIMARY KEY (" });
        printer.list(&self.partition);
        printer.text_if(composite, ")");
        for column in &self.clustering {
            printer.text(", ");
            printer.node(column);
        }
        printer.text(")");
    }
}

impl Print for AlterTable {
    fn print(&self, printer: &mut Printer) {
        printer.text("ALTER TABLE ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
        match &self.change {
            TableChange::With(properties) => printer.properties(properties),
            change => {
                printer.text(" ");
                printer.node(change);
            }
        }
    }
}

impl Print for TableChange {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::AlterType(column, type_name) => {
                printer.text("ALTER ");
                printer.node(column);
                printer.text(" TYPE ");
                printer.node(type_name);
            }
            Self::Mask { if_exists, column, mask } => {
                printer.text("ALTER ");
                printer.text_if(*if_exists, "IF EXISTS ");
                printer.node(column);
                match mask {
                    None => printer.text(" DROP MASKED"),
                    Some(mask) => {
                        printer.text(" ");
                        printer.node(mask);
                    }
                }
            }
            Self::Add { if_not_exists, columns } => {
                printer.text("ADD ");
                printer.text_if(*if_not_exists, "IF NOT EXISTS ");
                parenthesise(printer, columns);
            }
            Self::Drop { if_exists, columns, timestamp } => {
                printer.text("DROP ");
                printer.text_if(*if_exists, "IF EXISTS ");
                parenthesise(printer, columns);
                if let Some(timestamp) = timestamp {
                    printer.text(" USING TIMESTAMP ");
                    printer.text(timestamp);
                }
            }
            Self::Rename { if_exists, columns } => {
                printer.text("RENAME ");
                printer.text_if(*if_exists, "IF EXISTS ");
                printer.renames(columns);
            }
            Self::DropCompactStorage => printer.text("DROP COMPACT STORAGE"),
            Self::With(properties) => printer.properties(properties),
        }
    }
}

/// Nodes in parentheses, unless there is only one.
fn parenthesise<T: Print>(printer: &mut Printer, nodes: &[T]) {
    printer.text_if(nodes.len() > 1, "(");
    printer.list(nodes);
    printer.text_if(nodes.len() > 1, ")");
}

impl Print for DropTable {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP TABLE ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
    }
}

impl Print for Truncate {
    fn print(&self, printer: &mut Printer) {
        printer.text("TRUNCATE TABLE ");
        printer.node(&self.table);
    }
}

impl Print for CreateView {
    fn print(&self, printer: &mut Printer) {
        printer.text("CREATE MATERIALIZED VIEW ");
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.node(&self.name);
        printer.text(" AS");
        printer.with_indent(|printer| {
            printer.line();
            printer.fit_line(|printer| {
                printer.text("SELECT ");
                printer.selectors(&self.selectors);
                printer.clause();
                printer.text("FROM ");
                printer.node(&self.table);
                printer.relations(&self.relations);
            });
            printer.line();
            printer.node(&self.primary_key);
        });
        printer.table_options(&self.options, false);
    }
}

impl Print for AlterView {
    fn print(&self, printer: &mut Printer) {
        printer.text("ALTER MATERIALIZED VIEW ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
        printer.properties(&self.properties);
    }
}

impl Print for DropView {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP MATERIALIZED VIEW ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.node(&self.name);
    }
}
