//! Among which rows a growing integer counts: those of its partition, or of all of them.

use model::concept::Concept;
use model::id::{AttributeId, IdList};
use model::plan::{ColumnRole, Derivation, Direction, PlannedTable};

use super::rows;

/// The rows that share the numbers by whose ranges a table is bucketed, at the end of the horizon:
/// all rows where the integer alone is a key (the ids of a sequence), those under one tenant where
/// it is one together with the tenant; `None` where each value of the partition key has its own.
pub(super) fn rows_numbered(
    concept: &Concept,
    table: &PlannedTable,
    horizon_days: f64,
) -> Option<f64> {
    let (_, of, _) = table.bucket()?;
    let source = table.holds.sources.member(of.source)?;
    let fixed: Vec<AttributeId> = table
        .partition_key()
        .filter_map(|column| match column.derivation {
            Derivation::Attribute(at) if at.source == of.source => Some(at.attribute),
            _ => None,
        })
        .collect();
    let keys = concept.entities.member(source.entity)?.keys.iter();
    let within = keys.filter(|key| {
        key.contains(&of.attribute)
            && key.iter().all(|at| *at == of.attribute || fixed.contains(at))
    });
    let scope = within.min_by_key(|key| key.len())?;
    let mut wider = PlannedTable { holds: table.holds.clone(), ..PlannedTable::default() };
    let mut is_narrower = false;
    for column in &table.columns {
        if matches!(column.derivation, Derivation::Bucket(..) | Derivation::Shard { .. }) {
            continue;
        }
        let mut column = column.clone();
        let is_scope = matches!(column.derivation, Derivation::Attribute(at)
            if at.source == of.source && scope.contains(&at.attribute));
        if column.role == ColumnRole::Partition && !is_scope {
            is_narrower = true;
            column.role = ColumnRole::Clustering(Direction::Ascending);
        }
        wider.columns.push(column);
    }
    if !is_narrower {
        return None;
    }
    let all = rows::estimate_rows(concept, &wider, horizon_days)?;
    let days = all.curve.elapsed(horizon_days);
    Some(all.growing.today.rows.mean + all.growing.daily.rows.mean * days)
}
