//! Builds the entities from the table declarations, once all statements are read: `key`,
//! `expression_key` and `reference` add keys and references, `default`, `generation` and
//! `constraint` add what DDL says about values, `attribute` applies the directives of columns, `time`
//! propagates `@time`, `width` the width of numbers.

mod attribute;
mod constraint;
mod default;
mod expression_key;
mod generation;
mod key;
mod reference;
mod time;
mod width;

use cql::types::{NativeType, Type};

use super::draft::ModelDraft;
use super::table::{ColumnDeclaration, TableDeclaration, TableDeclarations};
use super::types::SqlType;
use super::volume::DEFAULT_TEXT_BYTES;
use crate::concept::{Attribute, Entity, Figure, Growth, GrowthCurve, Skew, ValueLimit};
use crate::directive::TableFigures;
use crate::id::IdList;

/// The entities of the tables. Figures that the file does not give are 0 and assumed, for
/// [`super::volume`] to fill.
pub(super) fn build_entities(draft: &mut ModelDraft) -> Vec<Entity> {
    let mut tables = take_tables(draft);
    for table in &mut tables.list {
        expression_key::add_expression_keys(draft, table);
    }
    let mut entities = Vec::new();
    for table in &*tables.list {
        entities.push(build_entity(draft, table));
    }
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        if draft.has_too_many_errors() {
            return entities;
        }
        key::add_keys(draft, table, entity);
    }
    key::name_keys(draft, &tables.list);
    for position in entities.ids() {
        if draft.has_too_many_errors() {
            return entities;
        }
        reference::add_references(draft, &tables, &mut entities, position);
    }
    for position in entities.ids() {
        entities[position].supertype = reference::find_supertype(&entities, position);
    }
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        attribute::apply_directives(draft, table, entity);
    }
    time::propagate_timeuuids(draft, &tables, &mut entities);
    width::adopt_widths(&mut entities);
    for (table, entity) in tables.list.iter().zip(&mut entities) {
        default::add_defaults(draft, table, entity);
        generation::add_generations(draft, table, entity);
        constraint::add_constraints(draft, table, entity);
    }
    reference::check_actions(draft, &mut entities);
    entities
}

/// The tables without the partitions of others.
fn take_tables(draft: &mut ModelDraft) -> TableDeclarations {
    let mut tables = std::mem::take(&mut draft.tables);
    tables.list.retain(|table| !table.partition);
    let names = tables.list.enumerate_ids().map(|(id, table)| (table.name.text.clone(), id));
    tables.positions = names.collect();
    tables
}

fn build_entity(draft: &mut ModelDraft, table: &TableDeclaration) -> Entity {
    let mut entity = Entity {
        name: table.name.text.clone(),
        attributes: table.columns.iter().map(build_attribute).collect(),
        keys: Vec::new(),
        references: Vec::new(),
        unique: Vec::new(),
        checks: Vec::new(),
        supertype: None,
        rows: Figure::from_assumption(0.0),
        grows: Figure::from_assumption(0.0),
        curve: GrowthCurve::default(),
        retain: None,
        span: table.name.span,
    };
    let (figures, errors) = TableFigures::new(&table.directives, None);
    draft.errors.extend(errors);
    figures.apply_to(&mut entity);
    entity
}

fn build_attribute(column: &ColumnDeclaration) -> Attribute {
    // An unknown type was reported; text is used in its place.
    let text = SqlType::from_type(Type::Native(NativeType::Text));
    let SqlType { ty, limit, .. } = column.ty.clone().unwrap_or(text);
    let (labels, longest) = match &limit {
        Some(ValueLimit::Labels(labels)) => (u32::try_from(labels.len()).ok().map(f64::from), None),
        Some(ValueLimit::Longest(most) | ValueLimit::Exactly(most)) => (None, Some((*most).into())),
        Some(ValueLimit::Digits { .. }) | None => (None, None),
    };
    let longest = longest.filter(|most| (1.0..=DEFAULT_TEXT_BYTES).contains(most));
    Attribute {
        name: column.name.text.clone(),
        ty,
        nullable: !column.not_null,
        default: None,
        generated: None,
        limit,
        counter: false,
        exact: false,
        hidden: column.hidden,
        bytes: Figure::from_assumption(longest.unwrap_or(0.0)),
        items: Figure::from_assumption(0.0),
        items_growth: Growth::default(),
        distinct: labels.map_or(Figure::from_assumption(0.0), Figure::from_derivation),
        skew: Skew::Uniform,
        span: column.name.span,
    }
}
