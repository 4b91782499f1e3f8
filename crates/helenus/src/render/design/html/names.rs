//! Links to the parts of a report.

use std::collections::BTreeSet;

use model::id::{IdList, ReadId, TableId, WriteId};
use model::plan::{NoteSubject, PlannedStatement, WriteStep};

use crate::render::design::DesignView;
use crate::render::html::{Anchor, Cell, Markup};
pub(super) use crate::render::size_charts::table_anchor;

/// A name with a link to its description.
pub(super) type NamedLink = (String, String);

pub(super) fn query_anchor(name: &str) -> Anchor {
    Anchor::new("query", name)
}

pub(super) fn write_anchor(name: &str) -> Anchor {
    Anchor::new("write", name)
}

impl DesignView<'_> {
    /// A table with a link.
    pub(super) fn table_link(&self, at: TableId) -> Option<NamedLink> {
        let table = self.design.tables.member(at)?;
        Some((table.name.clone(), table_anchor(&table.name).link()))
    }

    /// `Q1 Login` with a link.
    pub(super) fn query_link(&self, at: ReadId) -> Option<NamedLink> {
        let read = self.file.workload.reads.member(at)?;
        let label = format!("{} {}", Self::read_number(at), read.name);
        Some((label, query_anchor(&read.name).link()))
    }

    /// A write with a link. Derived writes are described within those that run them.
    pub(super) fn write_link(&self, at: WriteId) -> Option<NamedLink> {
        let write = self.file.workload.writes.member(at)?;
        Some((write.name.clone(), write_anchor(&write.name).link()))
    }

    /// The subject of a note with a link.
    pub(super) fn subject_link(&self, about: NoteSubject) -> Option<NamedLink> {
        match about {
            NoteSubject::Read(at) => self.query_link(at),
            NoteSubject::Write(at) => self.write_link(at),
            NoteSubject::Table(at) => self.table_link(at),
            NoteSubject::Design | NoteSubject::Entity(_) => None,
        }
    }

    /// The tables that a read reads, in the order of its steps.
    pub(super) fn read_tables(&self, at: ReadId) -> Vec<NamedLink> {
        let plan = self.design.reads.member(at);
        let mut tables: Vec<TableId> = Vec::new();
        for step in plan.iter().flat_map(|plan| &plan.steps) {
            if !tables.contains(&step.table) {
                tables.push(step.table);
            }
        }
        tables.into_iter().filter_map(|at| self.table_link(at)).collect()
    }

    /// The tables that a write changes, also by the derived writes that it runs.
    pub(super) fn list_written_tables(&self, at: WriteId) -> BTreeSet<TableId> {
        let mut tables = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let Some(plan) = self.design.writes.member(at).filter(|_| seen.insert(at)) else {
                continue;
            };
            for step in &plan.steps {
                let statements: &[PlannedStatement] = match step {
                    WriteStep::Batch { statements, .. } => statements,
                    WriteStep::Statement(statement) => std::slice::from_ref(statement),
                    WriteStep::Run(run) => {
                        open.push(run.write);
                        &[]
                    }
                    WriteStep::Read(..) => &[],
                };
                tables.extend(statements.iter().map(|statement| statement.table));
            }
        }
        tables
    }

    /// The writes of the model that change a table.
    pub(super) fn table_writes(&self, table: TableId) -> Vec<NamedLink> {
        let stated = self.file.workload.list_stated_writes();
        let writes = stated.ids().filter(|at| self.list_written_tables(*at).contains(&table));
        writes.filter_map(|at| self.write_link(at)).collect()
    }
}

/// Writes links after a word, as an item of a list of facts; nothing for none.
pub(super) fn write_links(label: &str, links: &[NamedLink], out: &mut Markup) {
    if links.is_empty() {
        return;
    }
    out.element("li", &[], |out| {
        out.text(label);
        for (at, (name, to)) in links.iter().enumerate() {
            out.text(if at == 0 { " " } else { ", " });
            out.leaf("a", &[("href", to)], name);
        }
    });
}

/// Writes a fact: a figure after what it is.
pub(super) fn write_fact(label: &str, value: &str, out: &mut Markup) {
    out.element("li", &[], |out| {
        if !label.is_empty() {
            out.text(label);
            out.text(" ");
        }
        out.leaf("strong", &[], value);
    });
}

/// A link to the diagram. The script lets what the article describes stand out there, and names the
/// link by it.
pub(super) fn write_diagram_link(out: &mut Markup) {
    let attributes = [("href", "#diagram"), ("class", "on-screen to-diagram")];
    out.leaf("a", &attributes, "in the diagram");
}

/// A cell with a link.
pub(super) fn link_cell((name, to): NamedLink) -> Cell {
    Cell::Link { name, to }
}
