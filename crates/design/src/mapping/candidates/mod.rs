//! Keys by which a read could be answered, beside the one that the rules give.
//!
//! Everything that is given may name the partition, cluster before everything else, or be left to the client; a constant may
//! also restrict which rows are stored, as the rules have it. The client may filter what the rules have as a range, sort what they
//! have as an order, and count what they keep in counters. Each such choice is written as a read that asks for just what its key
//! does, and goes through the rules like any other: so every key is complete, and says why.

mod choice;
mod places;

use std::collections::BTreeSet;

use model::dependency::Known;
use model::id::ReadId;
use model::plan::{PlannedTable, Reason, Role, Rule};
use model::workload::{Column, Read};

use super::asked::Asked;
use super::key::Key;
use super::{columns, counted, forced, tables_for};
use crate::{Context, naming, sharing, volume};
use choice::{Choice, choices};
use places::Places;

/// At most so many keys for one read: with more, the search takes longer and finds nothing better, for the later ones are two
/// and more steps from what the rules give.
pub(crate) const MOST_KEYS: usize = 32;
/// At most so many choices are looked at for one read, in case many of them come to nothing.
const MOST_CHOICES: usize = 160;
/// A client drops at most so many rows of a partition at p99: a page or two.
const DROPPED_ROWS: f64 = 5_000.0;

/// The keys by which a read could be answered, each as a table of its key (and its counters) alone, that of the rules first; none
/// where the rules refuse the read. A key that the user wants is the only one.
pub(crate) fn keys_for(
    context: Context<'_>,
    read: &Read,
    position: Option<ReadId>,
) -> Vec<PlannedTable> {
    let asked = Asked::new(context, read, position);
    let tables = tables_for(context, read, position, &mut Vec::new());
    let Some(mut first) = tables.ok().and_then(|tables| tables.into_iter().next()) else {
        return Vec::new();
    };
    first.columns.retain(|column| column.is_key() || column.role == Role::Counter);
    let mut found = Found { nulls: sharing::taken_as_set(context, &first), keys: vec![first] };
    if matches!(forced::key(&asked), Ok(Some(_))) {
        return found.keys;
    }
    let places = Places::of(&asked);
    for choice in choices(&asked, &places).into_iter().take(MOST_CHOICES) {
        if found.keys.len() >= MOST_KEYS {
            break;
        }
        let asks = choice.read(read, &places);
        let asked = Asked::new(context, &asks, position);
        for clustered in choice.clustered(&places) {
            if choice.is_exact() && matches!(counted::table(&asked, &[]), Ok(Ok(_))) {
                found.add(context, counters(&asked, &clustered), &choice);
            }
            found.add(context, rows(&asked, &clustered), &choice);
        }
    }
    found.keys.truncate(MOST_KEYS);
    found.keys
}

/// The keys so far.
struct Found {
    keys: Vec<PlannedTable>,
    /// What the key of the rules takes as never null although it may be: no other may take more.
    nulls: BTreeSet<Column>,
}

impl Found {
    fn add(&mut self, context: Context<'_>, table: Option<PlannedTable>, choice: &Choice) {
        let Some(table) = table else { return };
        // The direction of what clusters is that of the read, or does not matter to it.
        let same = |other: &PlannedTable| {
            other.holds == table.holds
                && other.columns.len() == table.columns.len()
                && other.columns.iter().zip(&table.columns).all(|(one, another)| {
                    one.role.rank() == another.role.rank() && one.derivation == another.derivation
                })
        };
        if self.keys.iter().any(same)
            || !sharing::taken_as_set(context, &table).is_subset(&self.nulls)
            || (choice.drops_rows() && !is_small(context, &table))
        {
            return;
        }
        self.keys.push(table);
    }
}

/// Whether a client can read a whole partition and drop what it does not want.
fn is_small(context: Context<'_>, table: &PlannedTable) -> bool {
    let days = volume::horizon(context, table);
    volume::of(context, table).rows_after(days).p99 <= DROPPED_ROWS
}

/// The table of counters, in which these of the things given cluster.
fn counters(asked: &Asked<'_>, clustered: &[Known]) -> Option<PlannedTable> {
    counted::table(asked, clustered).ok()?.ok()
}

/// The rows, among which these of the things given cluster.
fn rows(asked: &Asked<'_>, clustered: &[Known]) -> Option<PlannedTable> {
    let key = Key::of_rows_after(asked, clustered).ok()?;
    let mut table = columns::of_key(asked, key.columns).ok()?;
    if asked.aggregates()
        && let Some(first) = table.columns.first_mut()
    {
        let text = "rows are stored and the client counts them; a counter would be written with each of them".to_owned();
        first.reasons.push(Reason { rule: Rule::Aggregate, read: asked.position, text });
    }
    naming::name_columns(&asked.dependencies, &asked.read.sources, &mut table.columns);
    Some(table)
}
