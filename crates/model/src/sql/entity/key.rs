//! The keys of entities: the primary key and the unique keys that are never null.

use cql::types::{NativeType, Type};

use super::super::draft::ModelDraft;
use super::super::table::{KeyDeclaration, TableDeclaration};
use crate::concept::{
    Attribute, ClientValue, ColumnDefault, DefaultValue, Entity, Figure, Growth, Skew,
};
use crate::diagnostics::error;
use crate::id::{AttributeId, IdList};
use crate::vocabulary::to_singular;

/// The name of the id that the rows of a table without a key get.
const ROW_ID: &str = "row_id";

/// Sets the keys of an entity: the primary key first, then what is unique and never null.
pub(super) fn add_keys(draft: &mut ModelDraft, table: &TableDeclaration, entity: &mut Entity) {
    let primary = primary_key(draft, table);
    for &column in primary.iter().flatten() {
        entity.attributes[column].nullable = false;
        if let Some(reason) = key_refusal(&entity.attributes[column].ty) {
            let name = &table.columns[column.index()].name;
            let message =
                format!("{}.{} cannot be part of a key: {reason}", entity.name, name.text);
            draft.report("MF209", name.span, message, "choose other columns for the key");
        }
    }
    let unique = table.keys.iter().filter(|key| !key.primary && key.condition.is_none());
    let unique: Vec<_> = unique.filter_map(|key| resolve_columns(draft, table, key)).collect();
    let never_null = |key: &Vec<AttributeId>| key.iter().all(|&at| !entity.attributes[at].nullable);
    let storable = |key: &Vec<AttributeId>| {
        key.iter().all(|&at| key_refusal(&entity.attributes[at].ty).is_none())
    };
    let keys: Vec<_> =
        primary.into_iter().chain(unique.into_iter().filter(never_null).filter(storable)).collect();
    for key in keys {
        if !entity.keys.iter().any(|other| has_same_columns(other, &key)) {
            entity.keys.push(key);
        }
    }
    let declared = table.keys.iter().any(|key| key.primary);
    if entity.keys.is_empty() && !declared && !table.columns.is_empty() {
        add_row_id(draft, table, entity);
    }
}

/// Gives the rows of a table without a key an id, which the client makes: they may be alike, and a
/// table of Cassandra would store them once.
fn add_row_id(draft: &mut ModelDraft, table: &TableDeclaration, entity: &mut Entity) {
    let is_taken = |name: &str| table.columns.iter().any(|column| column.name.text == name);
    let others = (2..).map(|number| format!("{ROW_ID}_{number}"));
    let mut names = std::iter::once(ROW_ID.to_owned()).chain(others);
    let name = names.find(|name| !is_taken(name)).unwrap_or_default();
    let message =
        format!("table {} has no key, so that each of its rows gets an id, {name}", entity.name);
    draft.warn("MF204", table.name.span, message, missing_key_help(table));
    let default = ColumnDefault {
        value: DefaultValue::Client(ClientValue::NewUuid),
        sql: "gen_random_uuid()".to_owned(),
        always: false,
    };
    entity.keys.push(vec![entity.attributes.next_id()]);
    entity.attributes.push(Attribute {
        name,
        ty: NativeType::Uuid.into(),
        nullable: false,
        default: Some(default),
        generated: None,
        limit: None,
        counter: false,
        exact: false,
        hidden: true,
        bytes: Figure::from_assumption(0.0),
        items: Figure::from_assumption(0.0),
        items_growth: Growth::default(),
        distinct: Figure::from_assumption(0.0),
        skew: Skew::Uniform,
        span: table.name.span,
    });
}

/// Remembers the keys by the names of their constraints: the name given, or else that which
/// `PostgreSQL` makes.
pub(super) fn name_keys(draft: &mut ModelDraft, tables: &[TableDeclaration]) {
    for (at, table) in tables.enumerate_ids() {
        for key in &table.keys {
            let columns: Result<Vec<_>, _> =
                key.columns.iter().map(|name| table.find_column(name)).collect();
            let Ok(columns) = columns else { continue };
            draft.constraints.entry((at, constraint_name(table, key))).or_insert(columns);
        }
    }
}

/// The name of the constraint of a key.
fn constraint_name(table: &TableDeclaration, key: &KeyDeclaration) -> String {
    let names: Vec<_> = key.columns.iter().map(|name| name.text.as_str()).collect();
    match &key.name {
        Some(name) => name.text.clone(),
        None if key.primary => format!("{}_pkey", table.name.text),
        None => format!("{}_{}_key", table.name.text, names.join("_")),
    }
}

fn primary_key(draft: &mut ModelDraft, table: &TableDeclaration) -> Option<Vec<AttributeId>> {
    let mut keys = table.keys.iter().filter(|key| key.primary);
    let first = keys.next()?;
    for second in keys {
        let message = format!("table {} has two primary keys", table.name.text);
        let help = "keep one, and declare the other UNIQUE and NOT NULL";
        draft.report("MF205", second.span, message, help);
    }
    resolve_columns(draft, table, first)
}

/// The columns of a key; `None` where one is unknown, which is reported.
fn resolve_columns(
    draft: &mut ModelDraft,
    table: &TableDeclaration,
    key: &KeyDeclaration,
) -> Option<Vec<AttributeId>> {
    let mut positions = Vec::new();
    let mut errors = Vec::new();
    for name in &key.columns {
        match table.find_column(name) {
            Ok(position) if positions.contains(&position) => {
                let message = format!("a key of {} lists {} twice", table.name.text, name.text);
                errors.push(error("MF206", name.span, message, "list each column once"));
            }
            Ok(position) => positions.push(position),
            Err(unknown) => errors.push(unknown),
        }
    }
    let known = errors.is_empty();
    draft.errors.extend(errors);
    known.then_some(positions)
}

fn has_same_columns(left: &[AttributeId], right: &[AttributeId]) -> bool {
    left.len() == right.len() && left.iter().all(|column| right.contains(column))
}

/// The reason why values of this type cannot be part of a key.
fn key_refusal(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Native(NativeType::Duration) => Some("intervals have no order"),
        ty if ty.is_collection() => Some("it is a collection"),
        _ => None,
    }
}

/// The most plausible key of a table without one.
fn missing_key_help(table: &TableDeclaration) -> String {
    let name = &table.name.text;
    let unique = table.keys.iter().find(|key| !key.primary && !key.columns.is_empty());
    let id = table.columns.iter().find(|column| {
        let singular = to_singular(name);
        let column = column.name.text.as_str();
        column == "id" || column == format!("{singular}_id") || column == format!("{singular}id")
    });
    match (unique, id) {
        (Some(unique), _) => {
            let columns: Vec<_> = unique.columns.iter().map(|name| name.text.as_str()).collect();
            format!("add NOT NULL to {}, or a PRIMARY KEY", columns.join(", "))
        }
        (None, Some(id)) => format!("add PRIMARY KEY ({})", id.name.text),
        (None, None) if !table.references.is_empty() => {
            let referring = table.references.iter().flat_map(|reference| &reference.columns);
            let columns: Vec<_> = referring.take(8).map(|name| name.text.as_str()).collect();
            format!("add PRIMARY KEY ({}), or an id uuid PRIMARY KEY", columns.join(", "))
        }
        (None, None) => "add an id uuid PRIMARY KEY, or PRIMARY KEY (columns)".to_owned(),
    }
}
