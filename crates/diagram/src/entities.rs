//! The entity-relationship diagram of a model file, in crow's foot notation.

use std::collections::BTreeMap;

use cql::types::Type;
use model::concept::{Concept, Entity, Origin, Reference};
use model::id::{AttributeId, EntityId, IdList};
use model::workload::Workload;

use super::picture::{
    Card, CardKind, CardRow, Frame, Level, Link, LinkEnd, Picture, PictureKind, RowKind, Tip,
};
use super::{marks, user_types};
use model::figures;

/// The entity-relationship diagram: entities with their attributes, keys underlined, relationships
/// with their names from the side of one to the side of many, subtypes below their supertype. Each
/// entity knows the queries and writes of the workload that touch it.
pub fn entities(concept: &Concept, workload: &Workload) -> Picture {
    let mut touched = touching_statements(concept, workload);
    let cards = concept.entities.enumerate_ids().map(|(at, entity)| Card {
        queries: touched.remove(&at).unwrap_or_default(),
        ..card(entity)
    });
    let mut cards: Vec<_> = cards.collect();
    let attributes = concept.entities.iter().flat_map(|entity| &entity.attributes);
    let attributes = attributes.map(|attribute| (&*attribute.name, &attribute.ty));
    cards.extend(user_types::cards(Level::Physical, attributes));
    let mut links = subtypes(concept);
    for (at, entity) in concept.entities.enumerate_ids() {
        let own = entity.references.iter().filter(|reference| !is_supertype(entity, reference));
        let own = own.filter(|reference| concept.entities.member(reference.target).is_some());
        links.extend(own.map(|reference| relationship(concept, at, entity, reference)));
    }
    Picture {
        title: concept.keyspace.clone(),
        kind: PictureKind::Entities,
        summary: String::new(),
        frames: vec![Frame { title: None, cards, links }],
        legend: Vec::new(),
    }
}

/// The names of the queries and writes that touch each entity.
fn touching_statements(concept: &Concept, workload: &Workload) -> BTreeMap<EntityId, Vec<String>> {
    let mut touched: BTreeMap<EntityId, Vec<String>> = BTreeMap::new();
    let reads = workload
        .reads
        .iter()
        .flat_map(|read| read.sources.iter().map(move |source| (source.entity, &read.name)));
    let writes = workload.list_stated_writes().iter().map(|write| (write.entity, &write.name));
    for (entity, name) in reads.chain(writes) {
        let names = touched.entry(entity).or_default();
        if concept.entities.member(entity).is_some() && !names.contains(name) {
            names.push(name.clone());
        }
    }
    touched
}

fn card(entity: &Entity) -> Card {
    let linked = count_key_references(entity);
    let (kind, badges) = match linked {
        0 | 1 => (CardKind::Entity, Vec::new()),
        2 => (CardKind::Relationship, vec!["m:n".to_owned()]),
        _ => (CardKind::Relationship, vec![format!("{linked}-way")]),
    };
    let rows = entity.attributes.ids().map(|at| row(entity, at)).collect();
    Card {
        kind,
        title: entity.name.clone(),
        badges,
        rows,
        footer: footer(entity),
        ..Card::default()
    }
}

/// How many references are part of the key: two make it a relationship between what they refer to.
fn count_key_references(entity: &Entity) -> usize {
    let key = entity.primary_key();
    let inside = |reference: &&Reference| {
        !reference.attributes.is_empty() && reference.attributes.iter().all(|at| key.contains(at))
    };
    entity.references.iter().filter(inside).count()
}

fn row(entity: &Entity, at: AttributeId) -> CardRow {
    let attribute = &entity.attributes[at];
    let name = match &attribute.ty {
        Type::List(..) | Type::Set(..) => format!("{{{}}}", attribute.name),
        ty => marks::name_with_marks(&attribute.name, ty),
    };
    let is_key = entity.primary_key().contains(&at);
    let refers = entity.references.iter().any(|reference| reference.attributes.contains(&at));
    let unique = entity.keys.iter().skip(1).any(|key| *key == [at]);
    let marks = [(refers, "FK"), (unique, "U"), (attribute.counter, "++")];
    let marks: Vec<_> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    CardRow {
        kind: if is_key { RowKind::Key } else { RowKind::Plain },
        name,
        ty: attribute.ty.to_string(),
        mark: marks.join(" "),
        ..CardRow::default()
    }
}

/// Rows, growth and retention, as far as they are declared.
fn footer(entity: &Entity) -> Vec<String> {
    let mut parts = Vec::new();
    if entity.rows.origin != Origin::Assumed {
        parts.push(format!("{} rows", figures::format_count(entity.rows.value)));
    }
    if entity.grows.origin != Origin::Assumed && entity.grows.value > 0.0 {
        parts.push(format!("+{}/day", figures::format_count(entity.grows.value)));
    }
    if let Some(seconds) = entity.retain {
        parts.push(format!("kept {}", figures::format_duration(seconds)));
    }
    if parts.is_empty() { Vec::new() } else { vec![parts.join(" · ")] }
}

/// Whether a reference leads from the entity to its supertype.
fn is_supertype(entity: &Entity, reference: &Reference) -> bool {
    entity.supertype == Some(reference.target)
        && reference.attributes.as_slice() == entity.primary_key()
}

/// A link for each supertype, from it to its subtypes.
fn subtypes(concept: &Concept) -> Vec<Link> {
    let below = |at| {
        let subtypes = concept.entities.enumerate_ids();
        subtypes.filter(move |(_, entity)| entity.supertype == Some(at)).map(|(below, _)| below)
    };
    let link = |at| {
        let to: Vec<_> =
            below(at).map(|subtype| LinkEnd::plain(subtype.index(), Tip::Plain)).collect();
        let from = vec![LinkEnd::plain(at.index(), Tip::Supertype)];
        (!to.is_empty()).then_some(Link { from, to, dashed: false })
    };
    concept.entities.ids().filter_map(link).collect()
}

fn relationship(concept: &Concept, at: EntityId, entity: &Entity, reference: &Reference) -> Link {
    let single = entity
        .keys
        .iter()
        .any(|key| !key.is_empty() && key.iter().all(|own| reference.attributes.contains(own)));
    let one = if reference.nullable { Tip::ZeroOrOne } else { Tip::One };
    let many = if single { Tip::ZeroOrOne } else { Tip::Many };
    let role = role(concept, at, entity, reference);
    // The columns still tell the relationships of one name apart.
    let is_told = reference.relation.is_some() && !has_namesake(entity, reference);
    let label = role.filter(|_| !is_told).into_iter().collect();
    let name = reference.relation.iter().cloned().collect();
    Link {
        from: vec![LinkEnd { label: name, ..LinkEnd::plain(reference.target.index(), one) }],
        to: vec![LinkEnd { card: at.index(), label, tip: many, queries: Vec::new() }],
        dashed: false,
    }
}

/// Whether another reference to the same entity has the same name.
fn has_namesake(entity: &Entity, reference: &Reference) -> bool {
    let same = |other: &&Reference| {
        other.target == reference.target && other.relation == reference.relation
    };
    entity.references.iter().filter(same).count() > 1
}

/// The referring attributes, where they add something to the names of the two entities.
fn role(concept: &Concept, at: EntityId, entity: &Entity, reference: &Reference) -> Option<String> {
    let target = concept.entities.member(reference.target)?;
    let names = |entity: &Entity, attributes: &[AttributeId]| {
        let names = attributes.iter().filter_map(|own| entity.attributes.member(*own));
        names.map(|attribute| attribute.name.clone()).collect::<Vec<_>>()
    };
    let own = names(entity, &reference.attributes);
    let same = |other: &&Reference| other.target == reference.target;
    let several = reference.target == at || entity.references.iter().filter(same).count() > 1;
    let differs = own != names(target, &reference.target_attributes);
    (several || differs).then(|| own.join(", "))
}
