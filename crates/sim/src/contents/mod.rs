//! What each designed table must hold, computed from the facts by the table's own definition.

mod ahead;
mod join;
mod normal;
mod statics;

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::BuildHasherDefault;

use model::id::{Numbered, TableId};
use model::plan::{Derivation, Holds, PlannedColumn, PlannedTable, Role};
use model::workload::Column;

pub(crate) use self::ahead::for_each_table;
pub(crate) use self::join::{Facts, Joined};
pub(crate) use self::normal::{as_set, normal};

use crate::data::Datum;
use crate::run::{bucket_of, constant_test, prefix_of, shard_of};
use crate::subject::Subject;
use crate::value::{Typed, constant, integer_bytes};

/// Rows of a table: by their key the values of the other columns, both in the order of the table's columns. Their own order
/// is the same in every run.
pub(crate) type Contents = HashMap<Vec<Datum>, Vec<Datum>, BuildHasherDefault<DefaultHasher>>;

/// What a table must hold.
pub(crate) fn contents(subject: Subject<'_>, at: TableId, facts: &Facts<'_>) -> Contents {
    let mut contents = Contents::default();
    let Some(table) = subject.design.tables.at(at) else { return contents };
    make(subject, table, facts, &mut contents);
    if table.is_counter() {
        // A group without rows counts 0, and so does one that is not there.
        let zero = Some(0_i64.to_be_bytes().to_vec());
        contents.retain(|_, values| values.iter().any(|value| *value != zero));
    }
    contents
}

/// The static columns of all partitions, of those too that have no rows: as a table of the partition key and the static
/// columns alone. `None` where there are none.
pub(crate) fn statics(
    subject: Subject<'_>,
    table: &PlannedTable,
    facts: &Facts<'_>,
) -> Option<(PlannedTable, Contents)> {
    let alone = statics::alone(subject.concept, table)?;
    let mut contents = Contents::default();
    make(subject, &alone, facts, &mut contents);
    Some((alone, contents))
}

fn make(subject: Subject<'_>, table: &PlannedTable, facts: &Facts<'_>, contents: &mut Contents) {
    let maker = Maker::new(subject, table);
    facts.each(&table.holds.sources, &mut |joined| {
        if maker.belongs(joined) {
            for elements in maker.elements(joined) {
                maker.add(joined, &elements, contents);
            }
        }
    });
}

/// Makes the rows of a table.
struct Maker<'a> {
    subject: Subject<'a>,
    table: &'a PlannedTable,
    /// What the buckets are made from whose oldest one the table remembers.
    remembered: Option<Column>,
}

impl<'a> Maker<'a> {
    fn new(subject: Subject<'a>, table: &'a PlannedTable) -> Self {
        let remembered = table.remembers.and_then(|at| subject.design.tables.at(at));
        let remembered = remembered.and_then(|table| Some(table.bucket()?.1));
        Self { subject, table, remembered }
    }

    /// Whether a joined row is one of the table's.
    fn belongs(&self, joined: &Joined<'_>) -> bool {
        let Holds { filters, not_null, .. } = &self.table.holds;
        let value = |column: Column| self.value(joined, column);
        not_null.iter().all(|column| joined.get(*column).is_some())
            && filters
                .iter()
                .all(|filter| constant_test(self.subject.concept, &filter.test, &value))
    }

    /// The value of a column of the sources.
    fn value(&self, joined: &Joined<'_>, column: Column) -> Typed {
        let source = self.table.holds.sources.at(column.source);
        let entity = source.and_then(|source| self.subject.concept.entities.at(source.entity));
        match entity.and_then(|entity| entity.attributes.at(column.attribute)) {
            Some(attribute) => Typed::new(attribute.ty.clone(), joined.get(column)),
            None => Typed::null(),
        }
    }

    /// Each choice of an element of every array that makes rows of its elements.
    fn elements(&self, joined: &Joined<'_>) -> Vec<Vec<(Column, Typed)>> {
        let mut choices = vec![Vec::new()];
        for column in &self.table.holds.elements {
            // One that is there twice makes one row.
            let mut elements = self.value(joined, *column).elements();
            elements.sort_by(Typed::order);
            elements.dedup();
            choices = choices
                .iter()
                .flat_map(|chosen: &Vec<(Column, Typed)>| {
                    elements.iter().map(|element| {
                        let mut chosen = chosen.clone();
                        chosen.push((*column, element.clone()));
                        chosen
                    })
                })
                .collect();
        }
        choices
    }

    /// Adds a row, or counts it to that of its key.
    fn add(&self, joined: &Joined<'_>, elements: &[(Column, Typed)], contents: &mut Contents) {
        let made = |column: &&PlannedColumn| self.made(column, joined, elements);
        let keys = self.table.columns.iter().filter(|column| column.is_key());
        let key: Vec<Datum> = keys.map(|column| made(&column)).collect();
        if key.iter().any(Option::is_none) {
            // No row of the table has such a key.
            return;
        }
        let columns = || self.table.columns.iter().filter(|column| !column.is_key());
        let values: Vec<Datum> = columns().map(|column| made(&column)).collect();
        match contents.entry(key) {
            Entry::Vacant(free) => {
                free.insert(values);
            }
            Entry::Occupied(mut taken) => {
                for ((column, before), value) in columns().zip(taken.get_mut()).zip(values) {
                    *before = joined_value(column, before.take(), value);
                }
            }
        }
    }

    /// The value of a column, in the bytes of its type.
    fn made(
        &self,
        column: &PlannedColumn,
        joined: &Joined<'_>,
        elements: &[(Column, Typed)],
    ) -> Datum {
        let value = |of: &Column| self.value(joined, *of);
        let counter = column.role == Role::Counter;
        let number = |number: i64| integer_bytes(&column.ty, number);
        let made = match &column.derivation {
            Derivation::Attribute(of) | Derivation::Sum(of) => value(of),
            Derivation::Coalesced(of, other) => {
                let value = value(of);
                if value.is_null() { constant(&value.ty, other) } else { value }
            }
            Derivation::Element(of) => {
                let chosen = elements.iter().find(|(column, _)| column == of);
                chosen.map_or_else(Typed::null, |(_, element)| element.clone())
            }
            Derivation::Bucket(of, width) => bucket_of(&value(of), *width),
            Derivation::Shard { of, count } => {
                let values: Vec<_> = of.iter().map(value).collect();
                shard_of(&values, &[], *count)
            }
            Derivation::Constant => return number(0),
            Derivation::Prefix(of, length) => prefix_of(&value(of), *length),
            Derivation::Count(None) => return number(1),
            Derivation::Count(Some(of)) => return number(i64::from(!value(of).is_null())),
            Derivation::Oldest(width) => self
                .remembered
                .as_ref()
                .map_or_else(Typed::null, |of| bucket_of(&value(of), *width)),
        };
        if counter && made.is_null() {
            return number(0);
        }
        normal(&column.ty, made.to_type(&column.ty))
    }
}

/// The value of a column in a row that two joined rows make: counters add up, the oldest bucket is the older one.
fn joined_value(column: &PlannedColumn, before: Datum, value: Datum) -> Datum {
    let typed = |bytes: &Datum| Typed::new(column.ty.clone(), bytes.clone());
    match column.derivation {
        _ if column.role == Role::Counter => {
            let sum = typed(&before).integer().unwrap_or(0);
            let more = typed(&value).integer().unwrap_or(0);
            integer_bytes(&column.ty, sum.saturating_add(more))
        }
        Derivation::Oldest(_) if typed(&before).order(&typed(&value)).is_le() => before,
        _ => value,
    }
}
