//! CREATE and DROP INDEX.

mod custom;
mod sai;
mod sasi;
mod target;

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::statement::index::{CreateIndex, DropIndex};
use cql::{QualifiedName, Span};

use super::CatalogChange;
use super::access::{DataResource, Permission, authorize, check_keyspace};
use super::existence::skip_or_refuse;
use super::properties::Properties;
use crate::Result;
use crate::bind::context::Context;
use crate::catalog::{Index, IndexClass, IndexPart, Keyspace, Table};
use crate::refusal::{IndexReason, NameReason, refuse};
use target::ResolvedTarget;

/// The option with the target.
const TARGET: &str = "target";
/// The option with the class of a custom index.
const CLASS_NAME: &str = "class_name";
/// The name of the legacy index in `USING`.
const LEGACY: &str = "legacy_local_table";

/// `CREATE INDEX`
pub(super) fn create(cx: &Context<'_>, statement: &CreateIndex) -> Result<CatalogChange> {
    let span = statement.table.span();
    let properties = Properties::new(&statement.properties, span);
    let keyspace = cx.keyspace_of(&statement.table)?;
    let table_name = &statement.table.name.text;
    let class = class_of(statement);
    authorize(Permission::Alter, DataResource::Table(&keyspace, table_name), span)?;
    check_keyspace(&keyspace, span)?;
    let mut options = read_options(&properties, class)?;
    let (keyspace, table) = find_table(cx, &keyspace, &statement.table)?;
    if let Some(name) = &statement.name
        && keyspace.index(&name.text).is_some()
    {
        return skip_or_refuse(
            statement.if_not_exists,
            IndexReason::Exists { name: name.text.to_string() },
            name.span,
        );
    }
    check_table(table, span)?;
    let targets = target::prepare(table, statement, class.is_some())?;
    let name = match &statement.name {
        Some(name) => name.text.clone(),
        None => free_name(keyspace, table_name, &targets),
    };
    let target_text = targets.iter().map(ResolvedTarget::text).collect::<Vec<_>>().join(", ");
    options.insert(TARGET.into(), target_text.into());
    let index = new_index(name, class, options, &targets);
    if let Some(equal) = table.indexes.iter().find(|own| is_duplicate(own, &index)) {
        return skip_or_refuse(
            statement.if_not_exists,
            IndexReason::Duplicate {
                name: index.name.to_string(),
                existing: equal.name.to_string(),
            },
            span,
        );
    }
    let mut table = Table::clone(table);
    table.indexes.push(index);
    for index in &table.indexes {
        custom::check(&table, index, span)?;
    }
    Ok(CatalogChange::Table(Arc::new(table)))
}

/// `DROP INDEX`
pub(super) fn drop(cx: &Context<'_>, statement: &DropIndex) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    let existing = cx.catalog.keyspace(&keyspace).and_then(|keyspace| keyspace.index(name));
    if let Some((table, _)) = existing {
        authorize(Permission::Alter, DataResource::Table(&keyspace, &table.name), span)?;
    }
    check_keyspace(&keyspace, span)?;
    let Some((table, _)) = existing else {
        return skip_or_refuse(
            statement.if_exists,
            IndexReason::Unknown { keyspace: keyspace.to_string(), name: name.to_string() },
            span,
        );
    };
    let mut table = Table::clone(table);
    table.indexes.retain(|index| index.name != *name);
    Ok(CatalogChange::Table(Arc::new(table)))
}

/// The class of a custom index; `USING 'legacy_local_table'` without CUSTOM is the legacy one.
fn class_of(statement: &CreateIndex) -> Option<&str> {
    let class = statement.class.as_deref().unwrap_or(LEGACY);
    (statement.custom || !class.eq_ignore_ascii_case(LEGACY)).then_some(class)
}

fn read_options(
    properties: &Properties<'_>,
    class: Option<&str>,
) -> Result<BTreeMap<Box<str>, Box<str>>> {
    properties.refuse_unknown(&["options"])?;
    let span = properties.span_of("options");
    let Some(class) = class else {
        if properties.is_empty() {
            return Ok(BTreeMap::new());
        }
        return refuse(IndexReason::OptionsWithoutCustom, span);
    };
    let mut options = BTreeMap::new();
    if let Some(map) = properties.map("options")? {
        for reserved in [CLASS_NAME, TARGET] {
            if map.get(reserved).is_some() {
                return refuse(IndexReason::ReservedOption { option: reserved.to_string() }, span);
            }
        }
        options = map.iter().map(|(name, value)| (name.into(), value.into())).collect();
    }
    options.insert(CLASS_NAME.into(), class.into());
    Ok(options)
}

fn find_table<'a>(
    cx: &Context<'a>,
    keyspace: &str,
    name: &QualifiedName,
) -> Result<(&'a Arc<Keyspace>, &'a Arc<Table>)> {
    let Some(found) = cx.catalog.keyspace(keyspace) else {
        return refuse(NameReason::UnknownKeyspace { keyspace: keyspace.to_string() }, name.span());
    };
    match found.table_or_view(&name.name.text) {
        Some(table) => Ok((found, table)),
        None => {
            refuse(NameReason::UnknownPlainTable { table: name.name.text.to_string() }, name.span())
        }
    }
}

fn check_table(table: &Table, span: Span) -> Result<()> {
    if table.is_counter() {
        return refuse(IndexReason::OnCounters, span);
    }
    if table.is_view {
        return refuse(IndexReason::OnViews, span);
    }
    Ok(())
}

/// `table_column_idx` with word characters only, and a number if it is taken.
fn free_name(keyspace: &Keyspace, table: &str, targets: &[ResolvedTarget<'_>]) -> Box<str> {
    let base = match targets {
        [target] => format!("{table}_{}_idx", target.column.name),
        _ => format!("{table}_idx"),
    };
    let base: String = base.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let mut name = base.clone();
    let mut number = 1;
    while keyspace.index(&name).is_some() {
        name = format!("{base}_{number}");
        number += 1;
    }
    name.into()
}

fn new_index(
    name: Box<str>,
    class: Option<&str>,
    options: BTreeMap<Box<str>, Box<str>>,
    targets: &[ResolvedTarget<'_>],
) -> Index {
    let class = class.map_or(IndexClass::Legacy, custom::class);
    // No implementation of the server accepts more than one column, or none.
    let (column, part) = match targets {
        [target] => (target.column.name.clone(), target.part),
        _ => ("".into(), IndexPart::Simple),
    };
    Index { name, class, column, part, options }
}

/// Whether two indexes are equal except for the name.
fn is_duplicate(a: &Index, b: &Index) -> bool {
    (a.class == IndexClass::Legacy) == (b.class == IndexClass::Legacy) && a.options == b.options
}
