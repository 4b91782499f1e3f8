//! Entities made of the tables, once all statements are read.

mod attribute;
mod key;
mod reference;
mod time;

use cql::types::{NativeType, Type};

use super::draft::ModelDraft;
use super::table::{Column, Table, Tables};
use super::types::SqlType;
use super::volume::TEXT;
use crate::concept::{Attribute, Entity, Skew, Stated};
use crate::directive::DirectiveKind;
use crate::id::Numbered;

/// The entities of the tables. Figures that the file does not give are 0 and assumed, for [`super::volume`] to fill.
pub(super) fn entities(draft: &mut ModelDraft) -> Vec<Entity> {
    let tables = take_tables(draft);
    let mut entities: Vec<Entity> = tables.list.iter().map(entity).collect();
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        if draft.has_too_many_errors() {
            return entities;
        }
        key::add_keys(draft, table, entity);
    }
    for position in entities.ids() {
        if draft.has_too_many_errors() {
            return entities;
        }
        reference::add_references(draft, &tables, &mut entities, position);
    }
    for position in entities.ids() {
        entities[position].supertype = reference::supertype(&entities, position);
    }
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        attribute::apply_directives(draft, table, entity);
    }
    time::spread(draft, &tables, &mut entities);
    entities
}

/// The tables without the partitions of others.
fn take_tables(draft: &mut ModelDraft) -> Tables {
    let mut tables = std::mem::take(&mut draft.tables);
    tables.list.retain(|table| !table.partition);
    let names = tables.list.numbered().map(|(id, table)| (table.name.text.clone(), id));
    tables.positions = names.collect();
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

fn attribute(column: &Column) -> Attribute {
    // A type that is unknown was reported; any other stands in for it.
    let text = SqlType::of(Type::Native(NativeType::Text));
    let SqlType { ty, labels, longest, .. } = column.ty.clone().unwrap_or(text);
    #[expect(clippy::cast_precision_loss, reason = "labels and characters are few")]
    let (labels, longest) = (labels.map(|labels| labels as f64), longest.map(|most| most as f64));
    let longest = longest.filter(|most| (1.0..=TEXT).contains(most));
    Attribute {
        name: column.name.text.clone(),
        ty,
        nullable: !column.not_null,
        counter: false,
        exact: false,
        bytes: Stated::assumed(longest.unwrap_or(0.0)),
        items: Stated::assumed(0.0),
        distinct: labels.map_or(Stated::assumed(0.0), Stated::derived),
        skew: Skew::Uniform,
        span: column.name.span,
    }
}
