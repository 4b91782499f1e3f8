//! DESCRIBE: schema objects as CREATE statements, in the server's format.

mod cql_builder;
mod element;
mod function;
mod options;
mod table;

use std::sync::Arc;

use cql::statement::describe::{Describe, DescribeTarget};
use cql::types::{Frozenness, NativeType, Type};
use cql::{Name, QualifiedName, SchemaVersion};
use element::SchemaElement;
use schema::catalog::Keyspace;

use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::result::{ResultColumn, ResultSet};
use crate::session::system;

/// Executes DESCRIBE.
pub(crate) fn describe(execution: &Execution<'_>, describe: &Describe) -> Result<ResultSet> {
    if describe.target == DescribeTarget::Cluster {
        return Ok(describe_cluster(execution));
    }
    let lists_names = matches!(
        describe.target,
        DescribeTarget::Keyspaces
            | DescribeTarget::Tables
            | DescribeTarget::Types
            | DescribeTarget::Functions
            | DescribeTarget::Aggregates
    );
    let elements = find_elements(execution, &describe.target)?;
    let names: &[&str] = if lists_names {
        &["keyspace_name", "type", "name"]
    } else {
        &["keyspace_name", "type", "name", "create_statement"]
    };
    let mut rows = ResultSet::new(names.iter().map(|name| column(name, text_type())).collect());
    let page = DescribePage::from_parameters(execution)?;
    for element in elements.iter().skip(page.offset).take(page.rows) {
        rows.push(Some(element.keyspace().as_bytes()));
        rows.push(Some(element.kind().as_bytes()));
        rows.push(Some(element.display_name().as_bytes()));
        if !lists_names {
            let statement = element.create_statement(&execution.schema, describe.with_internals);
            rows.push(Some(statement.as_bytes()));
        }
        rows.end_row();
    }
    if rows.count == page.rows {
        rows.paging_state = Some(page.next_state(execution));
    }
    Ok(rows)
}

/// The elements that are described, in order.
fn find_elements<'a>(
    execution: &'a Execution<'_>,
    target: &DescribeTarget,
) -> Result<Vec<SchemaElement<'a>>> {
    let of = |name: &QualifiedName| find_keyspace(execution, name.keyspace.as_ref());
    Ok(match target {
        DescribeTarget::Cluster => Vec::new(),
        DescribeTarget::Schema { full } => {
            let own = |keyspace: &&Keyspace| *full || !keyspace.system;
            let keyspaces = sort_keyspaces(execution).into_iter().filter(own);
            keyspaces.flat_map(SchemaElement::keyspace_elements).collect()
        }
        DescribeTarget::Keyspaces => {
            sort_keyspaces(execution).into_iter().map(SchemaElement::Keyspace).collect()
        }
        DescribeTarget::Keyspace { only: true, name } => {
            vec![SchemaElement::Keyspace(find_keyspace(execution, name.as_ref())?)]
        }
        DescribeTarget::Keyspace { only: false, name } => {
            SchemaElement::keyspace_elements(find_keyspace(execution, name.as_ref())?)
        }
        DescribeTarget::Tables => list_elements(execution, SchemaElement::tables)?,
        DescribeTarget::Types => list_elements(execution, SchemaElement::types)?,
        DescribeTarget::Functions => list_elements(execution, SchemaElement::functions)?,
        DescribeTarget::Aggregates => list_elements(execution, SchemaElement::aggregates)?,
        DescribeTarget::Table(name) => SchemaElement::table_elements(of(name)?, &name.name.text),
        DescribeTarget::Index(name) => SchemaElement::index(of(name)?, &name.name.text),
        DescribeTarget::View(name) => SchemaElement::view(of(name)?, &name.name.text),
        DescribeTarget::Type(name) => {
            filter_by_name(SchemaElement::types(of(name)?), &name.name.text)
        }
        DescribeTarget::Function(name) => {
            filter_by_name(SchemaElement::functions(of(name)?), &name.name.text)
        }
        DescribeTarget::Aggregate(name) => {
            filter_by_name(SchemaElement::aggregates(of(name)?), &name.name.text)
        }
        DescribeTarget::Anything(name) => find_any(execution, name)?,
    })
}

fn filter_by_name<'a>(elements: Vec<SchemaElement<'a>>, name: &str) -> Vec<SchemaElement<'a>> {
    elements.into_iter().filter(|element| element.own_name() == name).collect()
}

/// The elements of a kind in the keyspace in use, or in all keyspaces.
fn list_elements<'a>(
    execution: &'a Execution<'_>,
    of: fn(&'a Keyspace) -> Vec<SchemaElement<'a>>,
) -> Result<Vec<SchemaElement<'a>>> {
    let keyspaces = match execution.keyspace {
        Some(_) => vec![find_keyspace(execution, None)?],
        None => sort_keyspaces(execution),
    };
    Ok(keyspaces.into_iter().flat_map(of).collect())
}

fn sort_keyspaces<'a>(execution: &'a Execution<'_>) -> Vec<&'a Keyspace> {
    let mut keyspaces: Vec<&Keyspace> =
        execution.schema.catalog.keyspaces.values().map(|keyspace| &**keyspace).collect();
    keyspaces.sort_by_cached_key(|keyspace| cql_builder::fold_case(&keyspace.name));
    keyspaces
}

fn find_keyspace<'a>(execution: &'a Execution<'_>, name: Option<&Name>) -> Result<&'a Keyspace> {
    let name = name.map(|name| &*name.text).or(execution.keyspace).unwrap_or_default();
    let existing = execution.schema.catalog.keyspace(name).map(|keyspace| &**keyspace);
    existing.ok_or_else(|| Error::invalid(format!("'{name}' not existing in keyspaces")))
}

/// A keyspace, table, index or view with that name, in this order.
fn find_any<'a>(
    execution: &'a Execution<'_>,
    name: &QualifiedName,
) -> Result<Vec<SchemaElement<'a>>> {
    let own = &*name.name.text;
    if name.keyspace.is_none()
        && let Some(keyspace) = execution.schema.catalog.keyspace(own)
    {
        return Ok(SchemaElement::keyspace_elements(keyspace));
    }
    let keyspace = find_keyspace(execution, name.keyspace.as_ref())?;
    let makers: [fn(&'a Keyspace, &str) -> Vec<SchemaElement<'a>>; 3] =
        [SchemaElement::table_elements, SchemaElement::index, SchemaElement::view];
    let elements =
        makers.into_iter().map(|make| make(keyspace, own)).find(|elements| !elements.is_empty());
    Ok(elements.unwrap_or_default())
}

fn text_type() -> Type {
    NativeType::Text.into()
}

fn column(name: &str, ty: Type) -> ResultColumn {
    ResultColumn { keyspace: "system".into(), table: "describe".into(), name: name.into(), ty }
}

/// DESCRIBE CLUSTER; with the owners of token ranges if a user keyspace is in use.
fn describe_cluster(execution: &Execution<'_>) -> ResultSet {
    let identity = &execution.node.identity;
    let is_user =
        |name: &str| !Keyspace::is_local_system(name) && !Keyspace::is_replicated_system(name);
    let with_owners = execution.keyspace.is_some_and(is_user);
    let mut columns: Vec<_> =
        ["cluster", "partitioner", "snitch"].map(|name| column(name, text_type())).into();
    if with_owners {
        let owners = Type::List(Arc::new(text_type()), Frozenness::Yes);
        let owned = Type::Map(Arc::new((text_type(), owners)), Frozenness::Yes);
        columns.push(column("range_ownership", owned));
    }
    let mut rows = ResultSet::new(columns.into());
    rows.push(Some(identity.cluster_name.as_bytes()));
    rows.push(Some(b"Murmur3Partitioner"));
    rows.push(Some(b"DynamicEndpointSnitch"));
    if with_owners {
        rows.push(Some(&system::ring_owners(execution)));
    }
    rows.end_row();
    rows
}

/// The page that is requested.
struct DescribePage {
    offset: usize,
    rows: usize,
}

impl DescribePage {
    /// The paging state is the schema version and the number of rows before.
    fn from_parameters(execution: &Execution<'_>) -> Result<Self> {
        let rows = execution.parameters.page_rows().unwrap_or(u32::MAX);
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        let Some(state) = execution.parameters.paging_state else {
            return Ok(Self { offset: 0, rows });
        };
        let parts = state
            .split_first_chunk::<16>()
            .and_then(|(version, rest)| Some((version, u64::from_be_bytes(rest.try_into().ok()?))));
        let Some((version, offset)) = parts else {
            return Err(Error::invalid("Incompatible paging state"));
        };
        if SchemaVersion(*version) != execution.schema.version {
            return Err(Error::invalid(
                "The schema has changed since the previous page of the DESCRIBE statement result. \
                 Please retry the DESCRIBE statement.",
            ));
        }
        Ok(Self { offset: usize::try_from(offset).unwrap_or(usize::MAX), rows })
    }

    fn next_state(&self, execution: &Execution<'_>) -> Vec<u8> {
        let offset = u64::try_from(self.offset.saturating_add(self.rows)).unwrap_or(u64::MAX);
        [&execution.schema.version.0[..], &offset.to_be_bytes()].concat()
    }
}
