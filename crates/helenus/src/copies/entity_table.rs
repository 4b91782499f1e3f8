//! [`EntityTable`]: a table that holds every row of an entity, from which rows can be read back.

use std::collections::BTreeMap;

use model::concept::{AttributeRef, Concept};
use model::id::{AttributeId, IdList, TableId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};

use super::definitions::Definitions;
use super::table_shape::TableShape;

/// A table with one row for each row of an entity.
#[derive(Clone, Debug)]
pub(super) struct EntityTable {
    pub(super) table: TableId,
    pub(super) shape: TableShape,
    /// The attributes of the entity that it has, with the positions of their columns.
    pub(super) attributes: BTreeMap<AttributeId, usize>,
    /// The attributes from which the key of a row can be computed; `None` where other sources are
    /// needed.
    pub(super) key_inputs: Option<Vec<AttributeId>>,
}

impl EntityTable {
    /// The table as a table of an entity, or the reason why it does not hold every row of one.
    pub(super) fn new(
        definitions: &Definitions,
        at: TableId,
        table: &PlannedTable,
    ) -> Result<Self, String> {
        let concept = &definitions.concept;
        let shape = TableShape::new(concept, table)
            .ok_or("its rows combine several rows of more than one table of the model")?;
        check_completeness(definitions, table, &shape)?;
        let mut attributes = BTreeMap::new();
        for (position, column) in table.columns.iter().enumerate() {
            if column.role == ColumnRole::Static || column.role == ColumnRole::Counter {
                continue;
            }
            if let Some(attribute) = shape.driver_attribute(column) {
                attributes.entry(attribute).or_insert(position);
            }
        }
        let entity = concept.entities.member(shape.entity).ok_or("its entity is unknown")?;
        let is_held = |key: &Vec<AttributeId>| key.iter().all(|it| attributes.contains_key(it));
        if !entity.keys.iter().any(is_held) {
            return Err(format!("it has no key of {}", entity.name));
        }
        let key_inputs = key_inputs(table, &shape);
        Ok(Self { table: at, shape, attributes, key_inputs })
    }

    /// Whether the key of a row can be computed from these attributes.
    pub(super) fn is_found_by(&self, has: impl Fn(AttributeId) -> bool) -> bool {
        self.key_inputs.as_ref().is_some_and(|inputs| inputs.iter().all(|input| has(*input)))
    }
}

/// The attributes of the driver from which a table's key is computed.
fn key_inputs(table: &PlannedTable, shape: &TableShape) -> Option<Vec<AttributeId>> {
    let keys = table.columns.iter().filter(|column| column.is_key());
    let inputs = keys.flat_map(|column| shape.inputs(&column.derivation));
    inputs.map(|column| (column.source == shape.driver).then_some(column.attribute)).collect()
}

/// Fails where a row of the entity may have no row, or several, in the table.
fn check_completeness(
    definitions: &Definitions,
    table: &PlannedTable,
    shape: &TableShape,
) -> Result<(), String> {
    if table.view_of.is_some() {
        return Err("it is a materialized view".to_owned());
    }
    if table.is_counter() {
        return Err("it has counters".to_owned());
    }
    if table.remembers.is_some() {
        return Err("it records the ends of buckets".to_owned());
    }
    if !table.holds.filters.is_empty() {
        return Err("it holds only rows that meet a condition".to_owned());
    }
    if !table.holds.elements.is_empty() {
        return Err("it has a row for each element of an array".to_owned());
    }
    let not_null = table.holds.not_null.iter().copied();
    let in_keys = table
        .columns
        .iter()
        .filter(|column| column.is_key() && !matches!(column.derivation, Derivation::Coalesced(..)))
        .flat_map(|column: &PlannedColumn| column.derivation.columns().iter().copied());
    for column in not_null.chain(in_keys) {
        let column = shape.canonical(column);
        let source = table.holds.sources.member(column.source);
        let of = source
            .map(|source| AttributeRef { entity: source.entity, attribute: column.attribute });
        if let Some(of) = of.filter(|of| definitions.is_nullable(*of)) {
            return Err(format!(
                "it leaves out rows whose {} is null",
                definitions.attribute_name(of)
            ));
        }
    }
    let concept: &Concept = &definitions.concept;
    if let Some(link) = shape.links.iter().find(|link| link.is_nullable && !link.is_optional) {
        let name = concept.entities.member(link.entity).map_or("", |it| &it.name);
        return Err(format!("it leaves out rows that refer to no row of {name}"));
    }
    Ok(())
}
