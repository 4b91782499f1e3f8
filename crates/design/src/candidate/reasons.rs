//! The reasons for the columns of a chosen table: the reads that it serves.

use model::dependency::Dependencies;
use model::id::{IdList, ReadId, SourceId};
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, PlannedColumn, PlannedTable, ReadPart,
    ServedRead,
};
use model::workload::{Column, Read};

use super::complete_table::columns_used;
use super::{CandidateTable, source_map};
use crate::{Context, mapping};

impl CandidateTable {
    /// The table with the reasons of its columns.
    pub(super) fn with_reasons(
        &self,
        context: Context<'_>,
        table: &PlannedTable,
        sources: &[Option<SourceId>],
        serves: &[ServedRead],
    ) -> PlannedTable {
        let mut table = table.clone();
        let dependencies = Dependencies::new(context.concept, &self.table.holds.sources);
        let needs: Vec<(ReadId, &Read, Vec<Column>)> = serves
            .iter()
            .filter_map(|served| {
                let read = context.workload.reads.member(served.read)?;
                let needed = columns_needed(read, served);
                Some((served.read, read, needed))
            })
            .collect();
        let back = |of: Column| {
            let source = sources.find_id(|place| *place == Some(of.source))?;
            Some(Column { source, ..of })
        };
        for column in &mut table.columns {
            if let Some(key) = self.find_key_column(&column.derivation, sources) {
                column.reasons = select_reasons(&key.reasons, serves);
                continue;
            }
            let Derivation::Attribute(of) = column.derivation else { continue };
            let Some(of) = back(of) else { continue };
            let reads = needs.iter().filter(|(_, _, needed)| {
                needed.iter().any(|needed| dependencies.is_equal(*needed, of))
            });
            let is_static = column.role == ColumnRole::Static;
            column.reasons = reads
                .map(|(at, read, _)| {
                    mapping::column_reason(&dependencies, of, is_static, (Some(*at), &read.name))
                })
                .collect();
            if column.reasons.is_empty() {
                let text = "it is looked up in this table".to_owned();
                column.reasons.push(MappingReason { rule: MappingRule::Stored, read: None, text });
            }
        }
        table
    }

    /// The key column of the candidate that became the one of this derivation.
    fn find_key_column(
        &self,
        of: &Derivation,
        sources: &[Option<SourceId>],
    ) -> Option<&PlannedColumn> {
        self.table.columns.iter().find(|column| {
            source_map::remap_derivation(&column.derivation, sources).as_ref() == Some(of)
        })
    }
}

/// Those of the reads served; all of them where none of these reads has one.
fn select_reasons(reasons: &[MappingReason], serves: &[ServedRead]) -> Vec<MappingReason> {
    let is_served = |reason: &&MappingReason| {
        reason.read.is_some_and(|read| serves.iter().any(|served| served.read == read))
    };
    let of_served: Vec<MappingReason> = reasons.iter().filter(is_served).cloned().collect();
    if of_served.is_empty() { reasons.to_vec() } else { of_served }
}

/// The columns that a read may need of a table, as columns of the table's sources.
fn columns_needed(read: &Read, served: &ServedRead) -> Vec<Column> {
    let all = columns_used(read).filter_map(|column| served.column(column));
    if served.part == ReadPart::Counters { Vec::new() } else { all.collect() }
}
