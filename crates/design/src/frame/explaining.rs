//! Why a table that was chosen has its columns: for the reads that it serves.

use model::dependency::Dependencies;
use model::id::{Numbered, ReadId, SourceId};
use model::plan::{Derivation, Part, PlannedColumn, PlannedTable, Reason, Role, Rule, Served};
use model::workload::{Column, Read};

use super::filling::mentioned;
use super::{Frame, pruning};
use crate::{Context, mapping};

impl Frame {
    /// The table with the reasons of its columns.
    pub(super) fn reasoned(
        &self,
        context: Context<'_>,
        table: &PlannedTable,
        sources: &[Option<SourceId>],
        serves: &[Served],
    ) -> PlannedTable {
        let mut table = table.clone();
        let dependencies = Dependencies::new(context.concept, &self.table.holds.sources);
        let needs: Vec<(ReadId, &Read, Vec<Column>)> = serves
            .iter()
            .filter_map(|served| {
                let read = context.workload.reads.at(served.read)?;
                let needed = asked_of(read, served);
                Some((served.read, read, needed))
            })
            .collect();
        let back = |of: Column| {
            let source = sources.find_id(|place| *place == Some(of.source))?;
            Some(Column { source, ..of })
        };
        for column in &mut table.columns {
            if let Some(key) = self.key_like(&column.derivation, sources) {
                column.reasons = of_those_served(&key.reasons, serves);
                continue;
            }
            let Derivation::Attribute(of) = column.derivation else { continue };
            let Some(of) = back(of) else { continue };
            let reads = needs.iter().filter(|(_, _, needed)| {
                needed.iter().any(|needed| dependencies.same(*needed, of))
            });
            let is_static = column.role == Role::Static;
            column.reasons = reads
                .map(|(at, read, _)| {
                    mapping::reason_of(&dependencies, of, is_static, (Some(*at), &read.name))
                })
                .collect();
            if column.reasons.is_empty() {
                let text = "it is looked up here".to_owned();
                column.reasons.push(Reason { rule: Rule::Stored, read: None, text });
            }
        }
        table
    }

    /// The key column of the frame that became the one of this derivation.
    fn key_like(&self, of: &Derivation, sources: &[Option<SourceId>]) -> Option<&PlannedColumn> {
        self.table
            .columns
            .iter()
            .find(|column| pruning::derivation(&column.derivation, sources).as_ref() == Some(of))
    }
}

/// Those of the reads served; all of them where none of these reads has one.
fn of_those_served(reasons: &[Reason], serves: &[Served]) -> Vec<Reason> {
    let is_served = |reason: &&Reason| {
        reason.read.is_some_and(|read| serves.iter().any(|served| served.read == read))
    };
    let of_served: Vec<Reason> = reasons.iter().filter(is_served).cloned().collect();
    if of_served.is_empty() { reasons.to_vec() } else { of_served }
}

/// The columns that a read may want of a table, as those of its sources.
fn asked_of(read: &Read, served: &Served) -> Vec<Column> {
    let all = mentioned(read).filter_map(|column| served.column(column));
    if served.part == Part::Counters { Vec::new() } else { all.collect() }
}
