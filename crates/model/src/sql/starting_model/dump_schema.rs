//! The statements of a dump that a model has, as text.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A name with its schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct QualifiedName {
    /// `public` where the dump states none.
    pub schema: String,
    /// The name itself.
    pub name: String,
}

/// A dump without its data, in the order in which the model has it.
#[derive(Debug, Default)]
pub(super) struct DumpSchema {
    /// Types and what else tables use.
    pub types: Vec<DumpStatement>,
    /// The tables.
    pub tables: Vec<DumpTable>,
    /// Triggers, their functions, and what else is about the tables.
    pub rest: Vec<DumpStatement>,
    /// Named statements of the dump, or the assumed ones.
    pub queries: Vec<DumpStatement>,
    /// What is about the whole model.
    pub figures: Vec<String>,
    /// How many objects of a kind are left out.
    pub omitted: BTreeMap<&'static str, usize>,
    /// Objects that are left out and whose absence matters.
    pub notes: Vec<String>,
}

/// A statement.
#[derive(Clone, Debug, Default)]
pub(super) struct DumpStatement {
    /// Its name in its name line.
    pub name: Option<String>,
    /// Comments above it: a name line, directives.
    pub above: Vec<String>,
    /// Its text, without the semicolon.
    pub text: String,
    /// What is assumed about it.
    pub figures: Vec<String>,
    /// Why it is only a comment.
    pub refusal: Option<String>,
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct DumpTable {
    /// Its name in the dump.
    pub name: QualifiedName,
    /// Its name in the model.
    pub title: String,
    /// Where the dump creates it.
    pub start: u32,
    /// Comments above it.
    pub above: Vec<String>,
    /// What is assumed about it.
    pub figures: Vec<String>,
    /// Its columns and constraints.
    pub items: Vec<DumpItem>,
    /// The whole statement, where its items are not known.
    pub whole: Option<String>,
    /// Unique indexes and changes that are no items.
    pub changes: Vec<DumpStatement>,
    /// Why it is only a comment.
    pub refusal: Option<String>,
}

/// A column or constraint of a table.
#[derive(Clone, Debug)]
pub(super) struct DumpItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its text.
    pub text: String,
    /// Directives of the dump.
    pub directives: Vec<String>,
    /// What is assumed about it.
    pub figures: Vec<String>,
    /// A remark about a difference from the dump.
    pub note: Option<String>,
    /// Why it is only a comment.
    pub refusal: Option<String>,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// A column.
    Column(String),
    /// A foreign key: its columns and the table referred to.
    Reference {
        /// The columns that refer.
        columns: Vec<String>,
        /// The table referred to.
        target: QualifiedName,
    },
    /// Any other constraint.
    Constraint,
}

impl DumpItem {
    /// An item without remarks.
    pub(super) fn new(kind: ItemKind, text: String) -> Self {
        let (directives, figures) = (Vec::new(), Vec::new());
        Self { kind, text, directives, figures, note: None, refusal: None }
    }

    /// Whether it is the column of that name.
    pub(super) fn is_column(&self, name: &str) -> bool {
        matches!(&self.kind, ItemKind::Column(own) if own == name)
    }

    /// The comment at the end of its line.
    pub(super) fn comment(&self) -> String {
        let mut comment = String::new();
        if !self.directives.is_empty() {
            let _ = write!(comment, " -- {}", self.directives.join("  "));
        } else if !self.figures.is_empty() {
            let _ = write!(comment, " -- assumed: {}", self.figures.join("  "));
        }
        comment
    }
}

impl DumpTable {
    /// A table without items.
    pub(super) fn new(name: QualifiedName, start: u32) -> Self {
        Self {
            title: name.name.clone(),
            start,
            name,
            above: Vec::new(),
            figures: Vec::new(),
            items: Vec::new(),
            whole: None,
            changes: Vec::new(),
            refusal: None,
        }
    }

    /// The column of that name.
    pub(super) fn column_mut(&mut self, name: &str) -> Option<&mut DumpItem> {
        self.items.iter_mut().find(|item| item.is_column(name))
    }

    /// The names of its columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = &DumpItem> {
        self.items.iter().filter(|item| matches!(item.kind, ItemKind::Column(_)))
    }
}

impl DumpStatement {
    /// A statement without remarks.
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}
