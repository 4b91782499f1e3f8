//! Rows in memory, with hash indexes on attributes.

use std::collections::HashMap;

use super::random::Random;
use crate::dataset::{Datum, Row};
use model::id::AttributeId;

/// The end of a chain.
const END: u32 = u32::MAX;

/// The rows of an entity. A row keeps its slot; a changed row gets a new one.
#[derive(Clone, Debug, Default)]
pub(super) struct RowStore {
    rows: Vec<Option<Row>>,
    alive: usize,
    indexes: Vec<PlaceIndex>,
}

/// Slots by the values of some attributes: each slot is in one chain of the index, newest first.
#[derive(Clone, Debug)]
struct PlaceIndex {
    attributes: Vec<AttributeId>,
    heads: HashMap<u64, u32>,
    next: Vec<u32>,
}

impl RowStore {
    /// Adds an index on these attributes.
    pub(super) fn add_index(&mut self, attributes: &[AttributeId]) {
        if attributes.is_empty() || self.has_index(attributes) {
            return;
        }
        let index =
            PlaceIndex { attributes: attributes.to_vec(), heads: HashMap::new(), next: Vec::new() };
        self.indexes.push(index);
    }

    /// Whether there is an index on these attributes.
    pub(super) fn has_index(&self, attributes: &[AttributeId]) -> bool {
        self.indexes.iter().any(|index| index.attributes == attributes)
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: Row) {
        let place = u32::try_from(self.rows.len()).unwrap_or(END);
        for index in &mut self.indexes {
            let head =
                index.heads.entry(hash_values(index.attributes.iter().map(|at| cell(&row, *at))));
            let head = head.or_insert(END);
            index.next.push(*head);
            *head = place;
        }
        self.rows.push(Some(row));
        self.alive += 1;
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, place: usize) -> Option<Row> {
        let taken = self.rows.get_mut(place)?.take();
        self.alive -= usize::from(taken.is_some());
        taken
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.alive
    }

    /// The row in a slot.
    pub(super) fn row(&self, place: usize) -> Option<&Row> {
        self.rows.get(place)?.as_ref()
    }

    /// The number of slots, those of removed rows included.
    pub(super) fn place_count(&self) -> usize {
        self.rows.len()
    }

    /// All rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.rows.iter().enumerate().filter_map(|(place, row)| Some((place, row.as_ref()?)))
    }

    /// The rows that have these values; uses the index on any of the attributes.
    pub(super) fn find<'s, 'v>(
        &'s self,
        attributes: &'v [AttributeId],
        values: &'v [&'v Datum],
    ) -> impl Iterator<Item = (usize, &'s Row)> + use<'s, 'v> {
        let index = self.indexes.iter().find(|index| index.attributes == attributes);
        let wanted = hash_values(values.iter().map(|value| value.as_deref()));
        let mut place = index.and_then(|it| it.heads.get(&wanted)).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            let at = usize::try_from(place).ok().filter(|_| place != END)?;
            place = index.and_then(|index| index.next.get(at)).copied().unwrap_or(END);
            Some(at)
        })
        .filter_map(move |at| {
            let row = self.row(at)?;
            let same = |(attribute, value): (&AttributeId, &&Datum)| {
                cell(row, *attribute) == value.as_deref()
            };
            attributes.iter().zip(values).all(same).then_some((at, row))
        })
    }

    /// Any row.
    pub(super) fn draw_row(&self, random: &mut Random) -> Option<(usize, &Row)> {
        let start = random.next_below(self.rows.len());
        self.next_row(start)
    }

    /// The row in a slot, or the next one after it; from the start again at the end.
    pub(super) fn next_row(&self, start: usize) -> Option<(usize, &Row)> {
        let places = (start..self.rows.len()).chain(0..start);
        places.into_iter().find_map(|place| Some((place, self.row(place)?)))
    }
}

fn cell(row: &Row, attribute: AttributeId) -> Option<&[u8]> {
    row.get(attribute.index())?.as_deref()
}

/// A hash of values.
fn hash_values<'v>(values: impl Iterator<Item = Option<&'v [u8]>>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for value in values {
        let marked = value.map_or(&[0_u8][..], |_| &[1]);
        for byte in marked.iter().chain(value.unwrap_or_default()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
