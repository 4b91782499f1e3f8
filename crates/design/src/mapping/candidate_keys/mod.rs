//! Keys by which a read could be answered, in addition to that of the rules.
//!
//! Everything given may be in the partition key, be a leading clustering column, or be left to the
//! client; a constant may also restrict which rows are stored, as by the rules. The client may
//! filter what is a range by the rules, sort what is an order, and count what is a counter. Each
//! such choice is written as a read for exactly what its key does and goes through the rules like
//! any other: so every key is complete and has its reasons.

mod choice;
mod key_terms;

use std::collections::BTreeSet;

use model::dependency::{Determinant, RowKey};
use model::id::ReadId;
use model::plan::{ColumnRole, MappingReason, MappingRule, PlannedTable};
use model::workload::{Column, Read};

use super::key::KeyBuilder;
use super::read_shape::ReadShape;
use super::{aggregates, columns, key_override, tables_for};
use crate::{Context, naming, table_merge, volume};
use choice::{KeyChoice, key_choices};
use key_terms::KeyTerms;

/// Keys for one read, at most. More make the search slower without a cheaper result: the later ones
/// are two or more steps from the rules.
pub(crate) const MOST_KEYS: usize = 32;
/// Choices tried for one read, at most, in case many of them give no key.
const MOST_CHOICES: usize = 160;
/// Keys whose rows are identified by another key than the primary one, at most, and the choices
/// for which they are tried.
const MOST_ROW_KEYS: usize = 2;
const ROW_KEY_CHOICES: usize = 4;
/// Rows of a partition at p99 that a client may drop, at most: a page or two.
pub(crate) const DROPPED_ROWS: f64 = 5_000.0;

/// The keys by which a read could be answered, each as a table of its key (and its counters) alone,
/// that of the rules first; none where the rules refuse the read. A key that the user forces is the
/// only one.
pub(crate) fn keys_for(
    context: Context<'_>,
    read: &Read,
    position: Option<ReadId>,
) -> Vec<PlannedTable> {
    let shape = ReadShape::new(context, read, position);
    let tables = tables_for(context, read, position, &mut Vec::new());
    let Some(mut first) = tables.ok().and_then(|tables| tables.into_iter().next()) else {
        return Vec::new();
    };
    first.columns.retain(|column| column.is_key() || column.role == ColumnRole::Counter);
    let mut found =
        KeySet { nulls: table_merge::implicit_not_null(context, &first), keys: vec![first] };
    if matches!(key_override::find_override(&shape), Ok(Some(_))) {
        return found.keys;
    }
    let places = KeyTerms::new(&shape);
    let choices = key_choices(&shape, &places);
    for choice in choices.iter().take(MOST_CHOICES) {
        if found.keys.len() >= MOST_KEYS {
            break;
        }
        let asks = choice.to_read(read, &places);
        let shape = ReadShape::new(context, &asks, position);
        for clustered in choice.clustering_orders(&places) {
            if choice.is_exact() && matches!(aggregates::counter_table(&shape, &[]), Ok(Ok(_))) {
                found.add(context, counter_table(&shape, &clustered), choice);
            }
            found.add(context, row_table(&shape, &clustered, None), choice);
        }
    }
    found.keys.truncate(MOST_KEYS);
    found.add_other_row_keys(&shape, &choices, &places);
    found.keys
}

/// The keys so far.
struct KeySet {
    keys: Vec<PlannedTable>,
    /// Columns that the key of the rules assumes not to be null: no other key may assume more.
    nulls: BTreeSet<Column>,
}

impl KeySet {
    fn add(&mut self, context: Context<'_>, table: Option<PlannedTable>, choice: &KeyChoice) {
        let Some(table) = table else { return };
        // The direction of clustering columns is that of the read, or does not matter to it.
        let same = |other: &PlannedTable| {
            other.holds == table.holds
                && other.columns.len() == table.columns.len()
                && other.columns.iter().zip(&table.columns).all(|(one, another)| {
                    one.role.rank() == another.role.rank() && one.derivation == another.derivation
                })
        };
        if self.keys.iter().any(same)
            || !table_merge::implicit_not_null(context, &table).is_subset(&self.nulls)
            || (choice.is_filtered_by_client() && !is_small(context, &table))
        {
            return;
        }
        self.keys.push(table);
    }
}

impl KeySet {
    /// Adds the most promising keys whose rows are identified by another key than the primary one:
    /// one that is unique in the model enforces it, and is what an upsert names.
    fn add_other_row_keys(
        &mut self,
        shape: &ReadShape<'_>,
        choices: &[KeyChoice],
        places: &KeyTerms,
    ) {
        let others = shape.dependencies.other_row_keys();
        let most = self.keys.len() + MOST_ROW_KEYS;
        for choice in choices.iter().take(ROW_KEY_CHOICES) {
            let asks = choice.to_read(shape.read, places);
            let asked = ReadShape::new(shape.context, &asks, shape.position);
            for other in &others {
                if self.keys.len() < most {
                    let table = row_table(&asked, &choice.first_clustering(places), Some(*other));
                    self.add(shape.context, table, choice);
                }
            }
        }
    }
}

/// Whether a client can read a whole partition and drop what does not match.
fn is_small(context: Context<'_>, table: &PlannedTable) -> bool {
    let days = volume::horizon(context, table);
    volume::estimate_volume(context, table).rows_after(days).p99 <= DROPPED_ROWS
}

/// The counter table with these leading clustering columns.
fn counter_table(shape: &ReadShape<'_>, clustered: &[Determinant]) -> Option<PlannedTable> {
    aggregates::counter_table(shape, clustered).ok()?.ok()
}

/// The table of rows with these leading clustering columns, identified by another key than the
/// primary one where that is given.
fn row_table(
    shape: &ReadShape<'_>,
    clustered: &[Determinant],
    row_key: Option<RowKey>,
) -> Option<PlannedTable> {
    let key = KeyBuilder::for_rows_after(shape, clustered, row_key).ok()?;
    let mut table = columns::key_table(shape, key.columns).ok()?;
    if shape.is_aggregate()
        && let Some(first) = table.columns.first_mut()
    {
        let text = "rows are stored and aggregated by the client; a counter would have to be updated with every row".to_owned();
        first.reasons.push(MappingReason {
            rule: MappingRule::Aggregate,
            read: shape.position,
            text,
        });
    }
    naming::name_columns(&shape.dependencies, &shape.read.sources, &mut table.columns);
    Some(table)
}
