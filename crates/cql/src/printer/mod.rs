//! The printer: prints a syntax tree as text that parses as the same tree.
//!
//! Keywords are in capitals, names are quoted only where necessary. In flat layout a statement is
//! one line; in the layout of the formatter, schema statements have a line for each column and
//! option, and long statements one for each clause.

mod function;
mod names;
mod relations;
mod role;
mod schema;
mod select;
mod selectables;
mod server;
mod table;
mod terms;
mod write;

use crate::parse_options::ParseOptions;
use crate::statement::{Statement, StatementKind};

pub use crate::identifier::{identifier, is_quoting_needed};
pub(crate) use server::server_term;

/// The maximum length of the formatter's lines.
const WIDTH: usize = 100;

/// A node that can be printed as CQL.
pub trait Print {
    /// Prints the node.
    fn print(&self, printer: &mut Printer);
}

/// A node of the tree on one line.
pub fn print(node: &impl Print) -> String {
    let mut printer = Printer::new(Layout::Flat, ParseOptions::default());
    node.print(&mut printer);
    printer.out
}

/// A statement on one line, without a semicolon. `Invalid` is empty.
pub fn statement(statement: &Statement) -> String {
    print(&statement.kind)
}

/// A statement that was parsed with these options, on one line.
pub fn statement_with(statement: &Statement, options: &ParseOptions) -> String {
    let mut printer = Printer::new(Layout::Flat, *options);
    statement.kind.print(&mut printer);
    printer.out
}

/// A statement in the layout of the formatter, without a semicolon.
pub(crate) fn pretty_print(statement: &Statement, options: ParseOptions) -> String {
    let mut printer = Printer::new(Layout::Pretty, options);
    statement.kind.print(&mut printer);
    printer.out
}

/// Where lines are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Nowhere.
    Flat,
    /// By the structure of the statement.
    Pretty,
    /// Also before every clause.
    Clauses,
}

/// The target of printing.
#[derive(Debug)]
pub struct Printer {
    out: String,
    layout: Layout,
    options: ParseOptions,
    /// The indentation of a line.
    indent: usize,
}

impl Printer {
    fn new(layout: Layout, options: ParseOptions) -> Self {
        Self { out: String::new(), layout, options, indent: 0 }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A node.
    fn node(&mut self, node: &impl Print) {
        node.print(self);
    }

    /// Appends text if a condition holds.
    fn text_if(&mut self, condition: bool, text: &str) {
        if condition {
            self.text(text);
        }
    }

    /// Appends items with a separator.
    fn join<T>(&mut self, items: &[T], separator: &str, mut item: impl FnMut(&mut Self, &T)) {
        for (i, one) in items.iter().enumerate() {
            self.text_if(i > 0, separator);
            item(self, one);
        }
    }

    /// Appends nodes separated by commas.
    fn list<T: Print>(&mut self, nodes: &[T]) {
        self.join(nodes, ", ", |printer, node| node.print(printer));
    }

    /// A line end in the formatter's layout, a space in the flat one.
    fn line(&mut self) {
        if self.layout == Layout::Flat {
            self.text(" ");
        } else {
            self.new_line();
        }
    }

    /// A line end where clauses have separate lines, otherwise a space.
    fn clause(&mut self) {
        if self.layout == Layout::Clauses {
            self.new_line();
        } else {
            self.text(" ");
        }
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// Prints with more indentation.
    fn with_indent(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 2;
        write(self);
        self.indent -= 2;
    }

    /// Prints a statement on one line if it fits, otherwise with a line for each clause.
    fn fit_line(&mut self, mut write: impl FnMut(&mut Self)) {
        if self.layout != Layout::Pretty {
            return write(self);
        }
        let start = self.out.len();
        self.layout = Layout::Flat;
        write(self);
        // Including the semicolon. A string may contain line ends.
        let fits =
            self.out.get(start..).is_some_and(|text| text.chars().count() < WIDTH - self.indent);
        if !fits {
            self.out.truncate(start);
            self.layout = Layout::Clauses;
            write(self);
        }
        self.layout = Layout::Pretty;
    }

    /// `(`, items on separate lines, `)`; flat: `(a, b)`.
    fn block(&mut self, items: usize, mut item: impl FnMut(&mut Self, usize)) {
        self.text("(");
        self.with_indent(|printer| {
            for i in 0..items {
                printer.text_if(i > 0, ",");
                if printer.layout != Layout::Flat {
                    printer.new_line();
                } else if i > 0 {
                    printer.text(" ");
                }
                item(printer, i);
            }
        });
        if self.layout != Layout::Flat {
            self.new_line();
        }
        self.text(")");
    }
}

impl Print for StatementKind {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Select(node) => printer.fit_line(|printer| node.print(printer)),
            Self::Insert(node) => printer.fit_line(|printer| node.print(printer)),
            Self::Update(node) => printer.fit_line(|printer| node.print(printer)),
            Self::Delete(node) => printer.fit_line(|printer| node.print(printer)),
            Self::Batch(node) => node.print(printer),
            Self::Use(node) => node.print(printer),
            Self::CreateKeyspace(node) => node.print(printer),
            Self::AlterKeyspace(node) => node.print(printer),
            Self::DropKeyspace(node) => node.print(printer),
            Self::CreateTable(node) => node.print(printer),
            Self::AlterTable(node) => node.print(printer),
            Self::DropTable(node) => node.print(printer),
            Self::Truncate(node) => node.print(printer),
            Self::CreateIndex(node) => printer.fit_line(|printer| node.print(printer)),
            Self::DropIndex(node) => node.print(printer),
            Self::CreateView(node) => node.print(printer),
            Self::AlterView(node) => node.print(printer),
            Self::DropView(node) => node.print(printer),
            Self::CreateType(node) => node.print(printer),
            Self::AlterType(node) => node.print(printer),
            Self::DropType(node) => node.print(printer),
            Self::CreateFunction(node) => node.print(printer),
            Self::CreateAggregate(node) => printer.fit_line(|printer| node.print(printer)),
            Self::DropFunction(node) => node.print(printer),
            Self::CreateTrigger(node) => node.print(printer),
            Self::DropTrigger(node) => node.print(printer),
            Self::Role(node) => printer.fit_line(|printer| node.print(printer)),
            Self::DropRole(node) => node.print(printer),
            Self::ListRoles(node) => node.print(printer),
            Self::GrantRole(node) => node.print(printer),
            Self::GrantPermission(node) => printer.fit_line(|printer| node.print(printer)),
            Self::ListPermissions(node) => node.print(printer),
            Self::AddIdentity(node) => node.print(printer),
            Self::DropIdentity(node) => node.print(printer),
            Self::Describe(node) => node.print(printer),
            Self::Shell(node) => node.print(printer),
            Self::Invalid => {}
        }
    }
}
