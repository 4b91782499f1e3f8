//! How data flows through the tables of a design: from writes into tables, from tables to queries.

use std::collections::BTreeMap;

use cql::BatchKind;
use model::concept::Concept;
use model::id::{IdList, TableId, WriteId};
use model::plan::{Design, Modification, WriteStep};
use model::workload::Workload;

use super::picture::{
    Card, CardRow, Frame, Level, Link, LinkEnd, Picture, PictureKind, RowKind, Tip,
};
use super::{chebotko, statement_cards, transitions};

/// The data flow of a design: an arrow from each write to the tables it changes, dashed to those it
/// reads first, and from each query to the tables it asks. Tables show their keys only.
pub fn data_flow(concept: &Concept, workload: &Workload, design: &Design) -> Picture {
    let mut cards = statement_cards::make_write_cards(concept, workload);
    let tables = cards.len();
    cards.extend(design.tables.iter().map(|table| table_card(concept, workload, design, table)));
    let queries = cards.len();
    cards.extend(statement_cards::make_read_cards(concept, workload));
    let card_of = |table: TableId| tables + table.index();
    let mut links = Vec::new();
    for (write, plan) in cards.iter_mut().zip(&design.writes).take(tables).enumerate() {
        let (card, plan) = plan;
        card.footer.extend(batches(&plan.steps));
        links.extend(write_links(design, WriteId::new(write), card_of));
    }
    let served = transitions::tables(workload, design);
    for (read, table) in workload.reads.ids().zip(served) {
        let others = transitions::other_tables(design, read, table);
        let end = LinkEnd {
            queries: vec![workload.reads[read].name.clone()],
            ..LinkEnd::plain(queries + read.index(), Tip::Plain)
        };
        let from = |tables: &[TableId]| {
            let end = |table: &TableId| LinkEnd::plain(card_of(*table), Tip::Arrow);
            tables.iter().map(end).collect::<Vec<_>>()
        };
        for (asked, dashed) in [(table.as_slice(), false), (others.as_slice(), true)] {
            if !asked.is_empty() {
                links.push(Link { from: from(asked), to: vec![end.clone()], dashed });
            }
        }
    }
    Picture {
        title: concept.keyspace.clone(),
        kind: PictureKind::DataFlow,
        summary: String::new(),
        frames: vec![Frame { title: None, cards, links }],
        legend: Vec::new(),
    }
}

/// A table with the columns of its key.
fn table_card(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
    table: &model::plan::PlannedTable,
) -> Card {
    let card = chebotko::card(concept, workload, design, table, None, Level::Logical);
    let is_key = |row: &CardRow| matches!(row.kind, RowKind::Partition | RowKind::Clustering);
    Card { rows: card.rows.into_iter().filter(is_key).collect(), footer: Vec::new(), ..card }
}

/// The arrows of a write: to the tables it changes, and to those it reads first.
fn write_links(design: &Design, write: WriteId, card_of: impl Fn(TableId) -> usize) -> Vec<Link> {
    let mut touched = TouchedTables::default();
    touched.add(design, write, &mut Vec::new());
    let from = || vec![LinkEnd::plain(write.index(), Tip::Plain)];
    let changed = touched.changed.into_iter().map(|(table, kinds)| LinkEnd {
        label: transitions::break_label(kinds.into_iter().map(str::to_owned).collect()),
        ..LinkEnd::plain(card_of(table), Tip::Arrow)
    });
    let read = touched.read.into_iter().map(|table| LinkEnd {
        label: vec!["read".to_owned()],
        ..LinkEnd::plain(card_of(table), Tip::Arrow)
    });
    let links = [(changed.collect::<Vec<_>>(), false), (read.collect(), true)];
    let links = links.into_iter().filter(|(to, _)| !to.is_empty());
    links.map(|(to, dashed)| Link { from: from(), to, dashed }).collect()
}

/// The tables that a write touches, itself or through the writes it implies.
#[derive(Default)]
struct TouchedTables {
    /// The tables it changes, with the kinds of statements.
    changed: BTreeMap<TableId, Vec<&'static str>>,
    /// The tables it reads first.
    read: Vec<TableId>,
}

impl TouchedTables {
    /// Adds those of a write that is not among the `seen` ones: a write may run itself.
    fn add(&mut self, design: &Design, write: WriteId, seen: &mut Vec<WriteId>) {
        if seen.contains(&write) {
            return;
        }
        seen.push(write);
        for step in design.writes.member(write).into_iter().flat_map(|plan| &plan.steps) {
            let statements = match step {
                WriteStep::Read(read, _) => {
                    if !self.read.contains(&read.table) {
                        self.read.push(read.table);
                    }
                    continue;
                }
                WriteStep::Run(run) => {
                    self.add(design, run.write, seen);
                    continue;
                }
                WriteStep::Batch { statements, .. } => statements.as_slice(),
                WriteStep::Statement(statement) => std::slice::from_ref(statement),
            };
            for statement in statements {
                let kind = match statement.modification {
                    Modification::Insert(_) => "insert",
                    Modification::Update(_) => "update",
                    Modification::Delete(_) => "delete",
                };
                let kinds = self.changed.entry(statement.table).or_default();
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
    }
}

/// The batches that a write sends.
fn batches(steps: &[WriteStep]) -> Vec<String> {
    let batch = |step: &WriteStep| {
        let WriteStep::Batch { kind, statements, .. } = step else { return None };
        let kind = match kind {
            BatchKind::Logged => "logged batch",
            BatchKind::Unlogged => "unlogged batch",
            BatchKind::Counter => "counter batch",
        };
        Some(format!("{kind} of {} statements", statements.len()))
    };
    steps.iter().filter_map(batch).collect()
}
