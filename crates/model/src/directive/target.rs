//! The targets of directives, and the errors about misplaced ones.

use cql::Diagnostic;

use super::{Directive, DirectiveKind};
use crate::diagnostics::error;

/// What a directive is written on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectiveTarget {
    /// The whole file.
    File,
    /// A table.
    Table,
    /// A column that refers to no other table.
    Column,
    /// A column that refers to another table.
    ReferenceColumn,
    /// A constraint that refers to another table.
    Reference,
    /// A query.
    Query,
    /// A write.
    Write,
    /// Something that takes no directives: another constraint, an index.
    Other,
}

impl DirectiveKind {
    /// Its name, without the `@`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Dialect(_) => "dialect",
            Self::Keyspace(_) => "keyspace",
            Self::Replication(_) => "replication",
            Self::Nodes(_) => "nodes",
            Self::Tenant(_) => "tenant",
            Self::Table(_) => "table",
            Self::Column(..) => "column",
            Self::Query(_) => "query",
            Self::Rows(_) => "rows",
            Self::Grows(_) => "grows",
            Self::Retain(_) => "retain",
            Self::Each(_) => "each",
            Self::Relation(_) => "relation",
            Self::Skew(_) => "skew",
            Self::Distinct(_) => "distinct",
            Self::Bytes(_) => "bytes",
            Self::Items(_) => "items",
            Self::Time => "time",
            Self::Set => "set",
            Self::Exact => "exact",
            Self::Rate(_) => "rate",
            Self::Span(_) => "span",
            Self::Returns(_) => "returns",
            Self::After(_) => "after",
            Self::Strict => "strict",
            Self::Consistency(_) => "consistency",
        }
    }

    /// Whether it may be written on that.
    pub const fn can_apply_to(&self, target: DirectiveTarget) -> bool {
        use DirectiveTarget::{Column, File, Query, Reference, ReferenceColumn, Table, Write};
        match self {
            Self::Dialect(_)
            | Self::Keyspace(_)
            | Self::Replication(_)
            | Self::Nodes(_)
            | Self::Tenant(_) => matches!(target, File),
            // They are written at the start of a comment, and say themselves what it is about.
            Self::Table(_) | Self::Column(..) | Self::Query(_) => false,
            Self::Rows(_) | Self::Grows(_) | Self::Retain(_) => matches!(target, Table),
            Self::Each(_) | Self::Relation(_) => matches!(target, Reference | ReferenceColumn),
            Self::Skew(_) => matches!(target, Reference | ReferenceColumn | Column),
            Self::Distinct(_) | Self::Bytes(_) | Self::Items(_) | Self::Time | Self::Set => {
                matches!(target, ReferenceColumn | Column)
            }
            Self::Exact => matches!(target, ReferenceColumn | Column | Query),
            Self::Rate(_) | Self::After(_) | Self::Consistency(_) => {
                matches!(target, Query | Write)
            }
            Self::Span(_) | Self::Returns(_) => matches!(target, Query),
            Self::Strict => matches!(target, Write),
        }
    }

    /// Where to write it.
    const fn location_help(&self) -> &'static str {
        match self {
            Self::Dialect(_)
            | Self::Keyspace(_)
            | Self::Replication(_)
            | Self::Nodes(_)
            | Self::Tenant(_) => "at the head of the file",
            Self::Table(_) | Self::Column(..) | Self::Query(_) => {
                "at the start of a comment outside of statements"
            }
            Self::Rows(_) | Self::Grows(_) | Self::Retain(_) => "directly above its CREATE TABLE",
            Self::Each(_) | Self::Relation(_) => "at the end of the line of a REFERENCES",
            Self::Skew(_) => "at the end of the line of a column or a REFERENCES",
            Self::Distinct(_) | Self::Bytes(_) => "at the end of the line of a column",
            Self::Items(_) | Self::Set => "at the end of the line of an array column",
            Self::Time => "at the end of the line of a uuid column",
            Self::Exact => "at the end of the line of a column, or directly above a COUNT query",
            Self::Rate(_) | Self::After(_) | Self::Consistency(_) => {
                "directly above a named query or write"
            }
            Self::Span(_) | Self::Returns(_) => "directly above a named query",
            Self::Strict => "directly above a named INSERT, UPDATE or DELETE",
        }
    }
}

impl DirectiveTarget {
    const fn description(self) -> &'static str {
        match self {
            Self::File => "to the whole file",
            Self::Table => "to a table",
            Self::Column => "to a column without a reference",
            Self::ReferenceColumn => "to a column",
            Self::Reference => "to a reference",
            Self::Query => "to a query",
            Self::Write => "to a write",
            Self::Other => "here",
        }
    }
}

impl Directive {
    /// An error if it may not be written on that.
    pub fn placement_error(&self, target: DirectiveTarget) -> Option<Diagnostic> {
        let message = || format!("@{} does not apply {}", self.kind.name(), target.description());
        (!self.kind.can_apply_to(target)).then(|| self.location_error(message()))
    }

    /// An error whose help names the right place.
    pub fn location_error(&self, message: impl Into<String>) -> Diagnostic {
        error("MF104", self.span, message, format!("write it {}", self.kind.location_help()))
    }
}

/// Errors about directives that are given twice for the same target.
pub fn duplicate_errors(directives: &[Directive]) -> Vec<Diagnostic> {
    let (mut seen, mut errors) = (Vec::new(), Vec::new());
    for directive in directives {
        let name = directive.kind.name();
        if seen.contains(&name) {
            let message = format!("@{name} is given twice");
            errors.push(error("MF105", directive.span, message, "remove one of them"));
        } else {
            seen.push(name);
        }
    }
    errors
}
