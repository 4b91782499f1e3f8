//! [`SchemaHistory`]: the entries that are replayed when a database is opened, and the memory of the
//! schema that they make.

use std::sync::Arc;

use cql::StatementKind;
use schema::ddl::CatalogChange;

use super::journal::{JournalEntry, StatementSubject};

/// The memory that a statement needs besides its text and its tokens.
const STATEMENT_BYTES: usize = 512;
/// The memory of an empty table, with its definition, handle, rows and histograms.
const TABLE_BYTES: usize = 14 << 10;
/// The memory of an index without entries.
const INDEX_BYTES: usize = 4 << 10;
/// The memory of a column in the layout of a table.
const LAYOUT_BYTES: usize = 48;
/// The copies of the text: in the history, in the definition, and in the rows of the system tables.
const TEXT_COPIES: usize = 4;
/// The memory of a token besides its text: a column has at least three.
const TOKEN_BYTES: usize = 192;
/// The memory of a column of a view, which its text need not name.
const COLUMN_BYTES: usize = 1024;

/// The history of a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaHistory {
    /// With the memory of each, in bytes.
    entries: Vec<(Arc<JournalEntry>, u64)>,
    bytes: u64,
}

impl SchemaHistory {
    /// The entries, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &JournalEntry> {
        self.entries.iter().map(|(entry, _)| &**entry)
    }

    /// The memory of the schema, in bytes; an upper estimate.
    pub(crate) fn byte_size(&self) -> u64 {
        self.bytes
    }

    /// Adds an entry that changes nothing.
    pub(crate) fn push(&mut self, entry: JournalEntry) {
        self.entries.push((Arc::new(entry), 0));
    }

    /// Adds a statement that needs so many bytes. One that drops a keyspace or table removes the
    /// entries on it instead. Entries on types stay as long as their keyspace: tables created with
    /// them may still exist.
    pub(crate) fn extend(&mut self, entry: JournalEntry, bytes: u64, change: &CatalogChange) {
        if !is_removal(change) {
            self.bytes = self.bytes.saturating_add(bytes);
            self.entries.push((Arc::new(entry), bytes));
            return;
        }
        let is_dropped = |subject: &StatementSubject| match change {
            CatalogChange::DropKeyspace(name) => subject.keyspace == *name,
            CatalogChange::DropTable { keyspace, name } => {
                (&subject.keyspace, &subject.table) == (keyspace, name)
            }
            _ => false,
        };
        self.entries.retain(|(entry, _)| match &**entry {
            JournalEntry::Identity(_) => true,
            JournalEntry::Statement(executed) => !is_dropped(&executed.subject),
        });
        self.bytes = self.entries.iter().map(|(_, bytes)| bytes).sum();
    }
}

/// Whether a change removes entries, and so frees memory.
pub(crate) fn is_removal(change: &CatalogChange) -> bool {
    matches!(change, CatalogChange::DropKeyspace(_) | CatalogChange::DropTable { .. })
}

/// The memory that a statement and its change need at most, in bytes.
pub(crate) fn estimate_memory(
    text: &str,
    statement: &StatementKind,
    change: &CatalogChange,
) -> u64 {
    let object = match (statement, change) {
        (StatementKind::CreateTable(_), _) => TABLE_BYTES,
        // It keeps the layout of the table as it is now.
        (StatementKind::CreateIndex(_), CatalogChange::Table(table)) => {
            INDEX_BYTES + table.columns().len() * LAYOUT_BYTES
        }
        (StatementKind::CreateView(_), CatalogChange::View(view)) => {
            TABLE_BYTES + view.table.columns().len() * COLUMN_BYTES
        }
        _ => 0,
    };
    let text = text.len() * TEXT_COPIES + cql::count_tokens(text) * TOKEN_BYTES;
    (STATEMENT_BYTES + text + object) as u64
}
