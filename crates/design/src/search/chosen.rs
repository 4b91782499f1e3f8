//! The tables of a solution, with what each serves.

use std::collections::{BTreeMap, BTreeSet};

use model::id::{Numbered, ReadId, SourceId, TableId, WriteId};
use model::plan::{Part, PlannedTable, Served};
use model::workload::Column;

use super::build::{Asked, Built, Taken};
use super::space::{Question, Space};
use super::{views, ways};
use crate::frame::FrameId;
use solver::Solution;

/// What is chosen of a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
    pub(super) columns: BTreeSet<Column>,
    pub(super) serves: Vec<Served>,
    pub(super) supports: BTreeSet<WriteId>,
    pub(super) indexes: BTreeMap<Column, Vec<(ReadId, Part)>>,
}

/// What a solution takes of each frame.
pub(super) fn chosen(
    space: &Space<'_>,
    built: &Built,
    solution: &Solution,
) -> BTreeMap<FrameId, Chosen> {
    let mut frames: BTreeMap<FrameId, Chosen> = BTreeMap::new();
    for (asked, way) in built.demands.iter().zip(&solution.ways) {
        let Some(way) = *way else { continue };
        match asked {
            Asked::Question(question, taken) => {
                let Some(main) = taken.at(way).and_then(|taken| taken.main.as_ref()) else {
                    continue;
                };
                let chosen = frames.entry(main.frame).or_default();
                chosen.columns.extend(&main.columns);
                let served = served(space, question, &main.sources);
                if let Some(index) = main.index {
                    chosen.indexes.entry(index).or_default().push((served.read, served.part));
                }
                if !chosen.serves.contains(&served) {
                    chosen.serves.push(served);
                }
            }
            Asked::Wish(wish, taken) => {
                let Some(main) = taken.at(way).and_then(|taken: &Taken| taken.main.as_ref()) else {
                    continue;
                };
                let chosen = frames.entry(main.frame).or_default();
                chosen.columns.extend(&main.columns);
                chosen.supports.insert(wish.write);
            }
            Asked::Never => {}
        }
    }
    // A view has what its base has.
    for (frame, view) in &space.views {
        let Some(columns) = frames.get(frame).map(|chosen| chosen.columns.clone()) else {
            continue;
        };
        frames.entry(view.base).or_default().columns.extend(view.of_base(&columns));
    }
    frames
}

/// What a frame serves of a read of the workload.
fn served(space: &Space<'_>, question: &Question, sources: &[Option<SourceId>]) -> Served {
    let workload = space.context.workload;
    let count = workload.reads.at(question.of).map_or(0, |read| read.sources.len());
    let mut all = vec![None; count];
    for (outer, frame) in question.sources.iter().zip(sources) {
        if let Some(slot) = outer.and_then(|outer| all.at_mut(outer)) {
            *slot = *frame;
        }
    }
    Served { read: question.of, sources: all, part: question.part }
}

/// The tables, those of the reads first and in their order.
pub(super) fn tables(space: &Space<'_>, frames: BTreeMap<FrameId, Chosen>) -> Vec<PlannedTable> {
    let mut tables: Vec<(FrameId, Vec<Option<SourceId>>, PlannedTable)> = Vec::new();
    for (at, mut chosen) in frames {
        let Some(frame) = space.frames.at(at) else { continue };
        chosen.serves.sort_by_key(|served| (served.read, served.part));
        let filled = frame.table_serving(space.context, &chosen.columns, &chosen.serves);
        let supports = if chosen.serves.is_empty() { chosen.supports } else { BTreeSet::new() };
        let mut table = frame.clone().into_table(space.context, &chosen.columns, chosen.serves);
        table.supports = supports.into_iter().collect();
        for index in chosen.indexes {
            table.indexes.extend(ways::index_on(space.context, &table, &filled.sources, index));
        }
        tables.push((at, filled.sources, table));
    }
    tables.sort_by_key(|(.., table)| {
        let first = |served: &Served| (served.part != Part::Rows, served.read);
        let first = table.serves.iter().map(first).min();
        // What serves no read comes last.
        (first.is_none(), first)
    });
    for at in 0..tables.len() {
        let Some(view) = space.views.get(&tables[at].0) else { continue };
        let Some(base) = tables.iter().position(|(frame, ..)| *frame == view.base) else {
            continue;
        };
        let (_, sources, base_table) = tables[base].clone();
        let source = view.source_in(&sources);
        let table = &mut tables[at].2;
        table.view_of = Some(TableId::new(base));
        views::name_as_in_base(table, &base_table, source);
    }
    tables.into_iter().map(|(.., table)| table).collect()
}
