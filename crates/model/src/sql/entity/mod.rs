//! Entities made of the tables, once all statements are read.

mod attribute;
mod key;
mod reference;
mod time;

use cql::types::{NativeType, Type};

use super::table::{Reading, Table, Tables};
use crate::concept::{Attribute, Entity, Skew, Stated};
use crate::directive::DirectiveKind;

/// The entities of the tables. Figures that the file does not give are 0 and assumed, for [`super::volume`] to fill.
pub(super) fn entities(reading: &mut Reading) -> Vec<Entity> {
    let tables = take_tables(reading);
    let mut entities: Vec<Entity> = tables.list.iter().map(entity).collect();
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        key::add_keys(reading, table, entity);
    }
    for position in 0..entities.len() {
        reference::add_references(reading, &tables, &mut entities, position);
    }
    for position in 0..entities.len() {
        entities[position].supertype = reference::supertype(&entities, position);
    }
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        attribute::apply_directives(reading, table, entity);
    }
    time::spread(reading, &tables, &mut entities);
    entities
}

/// The tables without the partitions of others.
fn take_tables(reading: &mut Reading) -> Tables {
    let mut tables = std::mem::take(&mut reading.tables);
    tables.list.retain(|table| !table.partition);
    let names = tables.list.iter().map(|table| table.name.text.clone());
    tables.positions = names.enumerate().map(|(position, name)| (name, position)).collect();
    tables
}

fn entity(table: &Table) -> Entity {
    let mut entity = Entity {
        name: table.name.text.clone(),
        attributes: table.columns.iter().map(attribute).collect(),
        keys: Vec::new(),
        references: Vec::new(),
        supertype: None,
        rows: Stated::assumed(0.0),
        grows: Stated::assumed(0.0),
        retain: None,
        span: table.name.span,
    };
    for directive in &table.directives {
        match directive.kind {
            DirectiveKind::Rows(rows) => entity.rows = Stated::given(rows),
            DirectiveKind::Grows(rows) => entity.grows = Stated::given(rows),
            DirectiveKind::Retain(seconds) => entity.retain = Some(seconds),
            _ => {}
        }
    }
    entity
}

fn attribute(column: &super::table::Column) -> Attribute {
    // A type that is unknown was reported; any other stands in for it.
    let ty = column.ty.as_ref().map_or(Type::Native(NativeType::Text), |ty| ty.ty.clone());
    let labels = column.ty.as_ref().and_then(|ty| ty.labels);
    Attribute {
        name: column.name.text.clone(),
        ty,
        nullable: !column.not_null,
        counter: false,
        exact: false,
        bytes: Stated::assumed(0.0),
        items: Stated::assumed(0.0),
        #[expect(clippy::cast_precision_loss, reason = "labels are few")]
        distinct: labels.map_or(Stated::assumed(0.0), |labels| Stated::derived(labels as f64)),
        skew: Skew::Uniform,
        span: column.name.span,
    }
}
