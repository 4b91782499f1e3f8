//! CREATE, ALTER and DROP KEYSPACE.

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::Name;
use cql::statement::keyspace::{AlterKeyspace, CreateKeyspace, DropKeyspace};

use super::access::{DataResource, Permission, authorize, check_keyspace};
use super::existence::skip_or_refuse;
use super::properties::Properties;
use super::{CatalogChange, replication};
use crate::Result;
use crate::catalog::{Catalog, Keyspace, Replication};
use crate::refusal::{KeyspaceReason, NameReason, refuse};

const REPLICATION: &str = "replication";
const DURABLE_WRITES: &str = "durable_writes";

/// `CREATE KEYSPACE`
pub(super) fn create(catalog: &Catalog, statement: &CreateKeyspace) -> Result<CatalogChange> {
    let name = &statement.name;
    let properties = Properties::new(&statement.properties, name.span);
    check_keyspace(&name.text, name.span)?;
    validate(&properties)?;
    if !properties.has(REPLICATION) {
        return refuse(KeyspaceReason::NoReplication, name.span);
    }
    if catalog.keyspace(&name.text).is_some() {
        return skip_or_refuse(
            statement.if_not_exists,
            KeyspaceReason::Exists { keyspace: name.text.to_string() },
            name.span,
        );
    }
    let durable_writes = properties.boolean(DURABLE_WRITES)?.unwrap_or(true);
    let replication = replication_of(catalog, name, &properties, None)?;
    Ok(CatalogChange::Keyspace(Arc::new(Keyspace {
        durable_writes,
        ..Keyspace::new(name.text.clone(), replication)
    })))
}

/// `ALTER KEYSPACE`
pub(super) fn alter(catalog: &Catalog, statement: &AlterKeyspace) -> Result<CatalogChange> {
    let name = &statement.name;
    let properties = Properties::new(&statement.properties, name.span);
    authorize(Permission::Alter, DataResource::Keyspace(&name.text), name.span)?;
    check_keyspace(&name.text, name.span)?;
    validate(&properties)?;
    let Some(keyspace) = catalog.keyspace(&name.text) else {
        return skip_or_refuse(
            statement.if_exists,
            NameReason::UnknownKeyspace { keyspace: name.text.to_string() },
            name.span,
        );
    };
    let mut keyspace = Keyspace::clone(keyspace);
    if let Some(durable_writes) = properties.boolean(DURABLE_WRITES)? {
        keyspace.durable_writes = durable_writes;
    }
    if properties.map(REPLICATION)?.is_some_and(|map| map.get("class").is_some()) {
        keyspace.replication =
            replication_of(catalog, name, &properties, Some(&keyspace.replication))?;
    }
    Ok(CatalogChange::Keyspace(Arc::new(keyspace)))
}

/// `DROP KEYSPACE`
pub(super) fn drop(catalog: &Catalog, statement: &DropKeyspace) -> Result<CatalogChange> {
    let name = &statement.name;
    authorize(Permission::Drop, DataResource::Keyspace(&name.text), name.span)?;
    check_keyspace(&name.text, name.span)?;
    if catalog.keyspace(&name.text).is_some() {
        return Ok(CatalogChange::DropKeyspace(name.text.clone()));
    }
    skip_or_refuse(
        statement.if_exists,
        NameReason::UnknownKeyspace { keyspace: name.text.to_string() },
        name.span,
    )
}

fn validate(properties: &Properties<'_>) -> Result<()> {
    properties.refuse_unknown(&[DURABLE_WRITES, REPLICATION])?;
    match properties.map(REPLICATION)? {
        Some(map) if !map.is_empty() && map.get("class").is_none() => {
            refuse(KeyspaceReason::NoStrategyClass, properties.span_of(REPLICATION))
        }
        _ => Ok(()),
    }
}

fn replication_of(
    catalog: &Catalog,
    keyspace: &Name,
    properties: &Properties<'_>,
    previous: Option<&Replication>,
) -> Result<Replication> {
    let span = properties.span_of(REPLICATION);
    let Some(map) = properties.map(REPLICATION)? else {
        // A template placeholder: any replication is valid.
        return Ok(Replication { class: replication::SIMPLE.into(), options: BTreeMap::new() });
    };
    let mut options = map.copy();
    let Some(class) = options.remove("class") else {
        return refuse(KeyspaceReason::NullStrategyClass, span);
    };
    let request = replication::ReplicationRequest {
        catalog,
        keyspace: &keyspace.text,
        class: &class,
        options,
        span,
    };
    request.resolve(previous)
}
