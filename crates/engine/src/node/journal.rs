//! [`JournalEntry`]: the history of the schema, whose statements are replayed in order when a
//! database is opened.
//!
//! Statements are stored as text, with the ids and times that were generated for them, so that
//! replay gives the same schema. Those on dropped keyspaces and tables are left out at the next
//! checkpoint.

use std::sync::Arc;

use cql::QualifiedName;
use cql::statement::{Statement, StatementKind};
use cql::{HostId, SchemaVersion, TableId};
use schema::ddl::{self, CatalogChange};

use super::schema::{Schema, SchemaTransition};
use super::schema_history::{self, SchemaHistory};

/// An entry of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JournalEntry {
    /// The id of the node, generated when the database was created.
    Identity(HostId),
    /// A schema statement.
    Statement(ExecutedStatement),
}

/// A schema statement that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExecutedStatement {
    /// The time of its execution, in microseconds since 1970.
    pub(crate) at: i64,
    /// The id of the table it created, if it created one.
    pub(crate) table_id: TableId,
    /// The version of the schema after it.
    pub(crate) version: SchemaVersion,
    /// The keyspace in use; empty for none.
    pub(crate) keyspace: Box<str>,
    /// The keyspace and table that it changes.
    pub(crate) subject: StatementSubject,
    /// The text of the statement.
    pub(crate) text: Box<str>,
}

/// The keyspace and table that a statement changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatementSubject {
    /// The name of the keyspace.
    pub(crate) keyspace: Box<str>,
    /// The name of the table, also that of an index or a view; empty for other objects.
    pub(crate) table: Box<str>,
}

const IDENTITY: u8 = 0;
const STATEMENT: u8 = 1;

impl JournalEntry {
    /// The encoding in the log.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let executed = match self {
            Self::Identity(id) => return [&[IDENTITY][..], &id.0].concat(),
            Self::Statement(executed) => executed,
        };
        let mut out = vec![STATEMENT];
        out.extend(executed.at.to_be_bytes());
        out.extend(executed.table_id.0);
        out.extend(executed.version.0);
        let subject = &executed.subject;
        for text in [&executed.keyspace, &subject.keyspace, &subject.table, &executed.text] {
            out.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
            out.extend(text.as_bytes());
        }
        out
    }

    /// Decodes what [`Self::encode`] wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        if *kind == IDENTITY {
            return Some(Self::Identity(HostId(rest.try_into().ok()?)));
        }
        let (at, rest) = rest.split_first_chunk()?;
        let (table_id, rest) = rest.split_first_chunk()?;
        let (version, mut rest) = rest.split_first_chunk()?;
        let mut text = || -> Option<Box<str>> {
            let (length, tail) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            let (text, tail) = tail.split_at_checked(length)?;
            rest = tail;
            Some(std::str::from_utf8(text).ok()?.into())
        };
        Some(Self::Statement(ExecutedStatement {
            at: i64::from_be_bytes(*at),
            table_id: TableId(*table_id),
            version: SchemaVersion(*version),
            keyspace: text()?,
            subject: StatementSubject { keyspace: text()?, table: text()? },
            text: text()?,
        }))
    }
}

/// The schema after replaying a statement, which is added to the history.
pub(crate) fn replay_statement(
    schema: &Schema,
    executed: ExecutedStatement,
    history: &mut SchemaHistory,
) -> Result<SchemaTransition, String> {
    let parsed = cql::parse(&executed.text);
    if let Some(error) = parsed.errors.first() {
        return Err(error.message());
    }
    let [statement] = &parsed.statements[..] else {
        return Err("expected a single statement".to_owned());
    };
    let change = ddl::change(
        &schema.catalog,
        Some(&*executed.keyspace).filter(|name| !name.is_empty()),
        statement,
    )
    .map_err(|refusal| refusal.message())?;
    let (version, table_id, at) = (executed.version, executed.table_id, executed.at);
    let memory = schema_history::estimate_memory(&executed.text, &statement.kind, &change);
    history.extend(JournalEntry::Statement(executed), memory, &change);
    Ok(schema.apply_change(set_drop_time(change, at), version, table_id))
}

/// Sets the drop time of columns that a statement drops without USING TIMESTAMP: the time at which
/// it was first executed, also when it is replayed.
pub(crate) fn set_drop_time(change: CatalogChange, now_micros: i64) -> CatalogChange {
    match change {
        CatalogChange::Table(table)
            if table.dropped.iter().any(|column| column.dropped_at.is_none()) =>
        {
            let mut table = Arc::unwrap_or_clone(table);
            for column in &mut table.dropped {
                column.dropped_at.get_or_insert(now_micros);
            }
            CatalogChange::Table(table.into())
        }
        other => other,
    }
}

/// The subject of a statement, in the schema before it is executed.
pub(crate) fn find_subject(
    schema: &Schema,
    statement: &Statement,
    keyspace: Option<&str>,
) -> StatementSubject {
    let subject = |keyspace: &str, table: &str| StatementSubject {
        keyspace: keyspace.into(),
        table: table.into(),
    };
    let qualified = |name: &QualifiedName| {
        let explicit = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
        (explicit.or(keyspace).unwrap_or_default().to_owned(), name.name.text.clone())
    };
    let of_table = |name: &QualifiedName| {
        let (keyspace, table) = qualified(name);
        subject(&keyspace, &table)
    };
    let in_keyspace = |name: &QualifiedName| subject(&qualified(name).0, "");
    let of_view = |name: &QualifiedName| {
        let (keyspace, name) = qualified(name);
        let definition = schema.catalog.keyspace(&keyspace);
        let view = definition.and_then(|definition| definition.views.get(&name));
        subject(&keyspace, view.map_or("", |view| &view.base_table))
    };
    match &statement.kind {
        StatementKind::CreateKeyspace(create) => subject(&create.name.text, ""),
        StatementKind::AlterKeyspace(alter) => subject(&alter.name.text, ""),
        StatementKind::DropKeyspace(drop) => subject(&drop.name.text, ""),
        StatementKind::CreateTable(create) => of_table(&create.name),
        StatementKind::AlterTable(alter) => of_table(&alter.name),
        StatementKind::DropTable(drop) => of_table(&drop.name),
        StatementKind::CreateIndex(create) => of_table(&create.table),
        StatementKind::DropIndex(drop) => {
            let (keyspace, name) = qualified(&drop.name);
            let definition = schema.catalog.keyspace(&keyspace);
            let index = definition.and_then(|definition| definition.index(&name));
            subject(&keyspace, index.map_or("", |(table, _)| &table.name))
        }
        StatementKind::CreateView(create) => {
            subject(&qualified(&create.name).0, &create.table.name.text)
        }
        StatementKind::AlterView(alter) => of_view(&alter.name),
        StatementKind::DropView(drop) => of_view(&drop.name),
        StatementKind::CreateTrigger(create) => of_table(&create.table),
        StatementKind::DropTrigger(drop) => of_table(&drop.table),
        StatementKind::CreateType(create) => in_keyspace(&create.name),
        StatementKind::AlterType(alter) => in_keyspace(&alter.name),
        StatementKind::DropType(drop) => in_keyspace(&drop.name),
        StatementKind::CreateFunction(create) => in_keyspace(&create.name),
        StatementKind::CreateAggregate(create) => in_keyspace(&create.name),
        StatementKind::DropFunction(drop) => in_keyspace(&drop.name),
        _ => StatementSubject::default(),
    }
}
