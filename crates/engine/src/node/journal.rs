//! The schema's history: what must be run again, in order, so that a database that is opened has the schema it had.
//!
//! Statements are kept as they were written, with what was made up for them. Those about keyspaces and tables that are
//! gone are forgotten at the next checkpoint.

use cql::QualifiedName;
use cql::statement::{Statement, StatementKind};
use cql::{HostId, SchemaVersion, TableId};
use schema::ddl::{self, CatalogChange};

use super::schema::{Schema, SchemaTransition};

/// One thing of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JournalEntry {
    /// The node's own id, made up when the database was made.
    Identity(HostId),
    /// A schema statement.
    Statement(ExecutedStatement),
}

/// A schema statement that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExecutedStatement {
    /// When, in microseconds since 1970.
    pub(crate) at: i64,
    /// The id of the table it made, if it made one.
    pub(crate) table_id: TableId,
    /// The schema's version from then on.
    pub(crate) version: SchemaVersion,
    /// The keyspace in use; empty for none.
    pub(crate) keyspace: Box<str>,
    /// What it is about.
    pub(crate) subject: StatementSubject,
    /// The statement.
    pub(crate) text: Box<str>,
}

impl ExecutedStatement {
    /// Whether it only takes away what the history forgets with it.
    pub(crate) fn is_drop(&self) -> bool {
        let parsed = cql::parse(&self.text);
        let kind = parsed.statements.first().map(|statement| &statement.kind);
        matches!(kind, Some(StatementKind::DropKeyspace(_) | StatementKind::DropTable(_)))
    }
}

/// What a statement is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatementSubject {
    /// The keyspace.
    pub(crate) keyspace: Box<str>,
    /// The table in it, also that of an index or a view; empty for anything else.
    pub(crate) table: Box<str>,
}

const IDENTITY: u8 = 0;
const STATEMENT: u8 = 1;

impl JournalEntry {
    /// Its form in the log.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let one = match self {
            Self::Identity(id) => return [&[IDENTITY][..], &id.0].concat(),
            Self::Statement(one) => one,
        };
        let mut out = vec![STATEMENT];
        out.extend(one.at.to_be_bytes());
        out.extend(one.table_id.0);
        out.extend(one.version.0);
        for text in [&one.keyspace, &one.subject.keyspace, &one.subject.table, &one.text] {
            out.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
            out.extend(text.as_bytes());
        }
        out
    }

    /// Reads what [`Self::encode`] wrote.
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

/// The schema after a statement that was accepted once; the history loses what the statement drops.
pub(crate) fn replay_statement(
    schema: &Schema,
    one: &ExecutedStatement,
    history: &mut Vec<JournalEntry>,
) -> Result<SchemaTransition, String> {
    let parsed = cql::parse(&one.text);
    if let Some(error) = parsed.errors.first() {
        return Err(error.message());
    }
    let [statement] = &parsed.statements[..] else {
        return Err("it is not one statement".to_owned());
    };
    let change = ddl::change(
        &schema.catalog,
        Some(&*one.keyspace).filter(|name| !name.is_empty()),
        statement,
    )
    .map_err(|refusal| refusal.message())?;
    compact_history(history, &change);
    Ok(schema.apply_change(set_drop_time(change, one.at), one.version, one.table_id))
}

/// Columns that a statement drops are dropped when it runs.
pub(crate) fn set_drop_time(change: CatalogChange, now_micros: i64) -> CatalogChange {
    match change {
        CatalogChange::Table(table) if table.dropped.iter().any(|one| one.dropped_at.is_none()) => {
            let mut table = std::sync::Arc::unwrap_or_clone(table);
            for column in &mut table.dropped {
                column.dropped_at.get_or_insert(now_micros);
            }
            CatalogChange::Table(table.into())
        }
        other => other,
    }
}

/// Forgets what is about a keyspace or table that is gone. Types stay as long as their keyspace: tables that had
/// columns of them may be there still.
pub(crate) fn compact_history(history: &mut Vec<JournalEntry>, change: &CatalogChange) {
    let is_lost = |subject: &StatementSubject| match change {
        CatalogChange::DropKeyspace(name) => subject.keyspace == *name,
        CatalogChange::DropTable { keyspace, name } => {
            (&subject.keyspace, &subject.table) == (keyspace, name)
        }
        _ => false,
    };
    if matches!(change, CatalogChange::DropKeyspace(_) | CatalogChange::DropTable { .. }) {
        history.retain(|one| match one {
            JournalEntry::Identity(_) => true,
            JournalEntry::Statement(one) => !is_lost(&one.subject),
        });
    }
}

/// What a statement is about, in the schema before it runs.
pub(crate) fn find_subject(
    schema: &Schema,
    statement: &Statement,
    keyspace: Option<&str>,
) -> StatementSubject {
    let of = |keyspace: &str, table: &str| StatementSubject {
        keyspace: keyspace.into(),
        table: table.into(),
    };
    let qualified = |name: &QualifiedName| {
        let own = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
        (own.or(keyspace).unwrap_or_default().to_owned(), name.name.text.clone())
    };
    let of_table = |name: &QualifiedName| {
        let (keyspace, table) = qualified(name);
        of(&keyspace, &table)
    };
    let in_keyspace = |name: &QualifiedName| of(&qualified(name).0, "");
    let of_view = |name: &QualifiedName| {
        let (keyspace, view) = qualified(name);
        let found = schema.catalog.keyspace(&keyspace).and_then(|own| own.views.get(&view));
        of(&keyspace, found.map_or("", |view| &view.base_table))
    };
    match &statement.kind {
        StatementKind::CreateKeyspace(create) => of(&create.name.text, ""),
        StatementKind::AlterKeyspace(alter) => of(&alter.name.text, ""),
        StatementKind::DropKeyspace(drop) => of(&drop.name.text, ""),
        StatementKind::CreateTable(create) => of_table(&create.name),
        StatementKind::AlterTable(alter) => of_table(&alter.name),
        StatementKind::DropTable(drop) => of_table(&drop.name),
        StatementKind::CreateIndex(create) => of_table(&create.table),
        StatementKind::DropIndex(drop) => {
            let (keyspace, index) = qualified(&drop.name);
            let found = schema.catalog.keyspace(&keyspace).and_then(|own| own.index(&index));
            of(&keyspace, found.map_or("", |(table, _)| &table.name))
        }
        StatementKind::CreateView(create) => {
            of(&qualified(&create.name).0, &create.table.name.text)
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
