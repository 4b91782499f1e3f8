//! Prepared statements, for all connections: under ids made as Cassandra makes them, so that drivers find them again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use cql::StatementId;
use engine::{PreparedStatement, ResultColumn};
use wire::{ColumnBlock, ProtocolVersion};

use super::translation;

/// The most statements that are kept; when more come, those that were not used for longest go.
const STATEMENTS_MAX: usize = 10_000;
/// How many go at once.
const EVICTION_COUNT: usize = STATEMENTS_MAX / 10;

/// A prepared statement and its columns as answers show them.
pub(super) struct CachedStatement {
    pub(super) prepared: PreparedStatement,
    blocks: [OnceLock<ColumnBlock>; ProtocolVersion::ALL.len()],
    used: AtomicU64,
}

impl CachedStatement {
    fn new(prepared: PreparedStatement) -> Self {
        Self { prepared, blocks: Default::default(), used: AtomicU64::new(0) }
    }

    /// The columns in an answer of that version.
    pub(super) fn block(&self, version: ProtocolVersion) -> &ColumnBlock {
        let [third, fourth] = &self.blocks;
        let block = match version {
            ProtocolVersion::V3 => third,
            ProtocolVersion::V4 => fourth,
        };
        block.get_or_init(|| column_block(version, &self.prepared.columns))
    }
}

/// Columns as an answer of that version shows them.
pub(super) fn column_block(version: ProtocolVersion, columns: &[ResultColumn]) -> ColumnBlock {
    ColumnBlock::new(version, columns.iter().map(translation::column))
}

/// All prepared statements.
#[derive(Default)]
pub(super) struct PreparedStatements {
    statements: RwLock<HashMap<StatementId, Arc<CachedStatement>>>,
    /// Counts uses: the order of them is the order of last use.
    uses: AtomicU64,
}

impl PreparedStatements {
    /// The statement of an id.
    pub(super) fn find(&self, id: &[u8]) -> Option<Arc<CachedStatement>> {
        let id = StatementId(id.try_into().ok()?);
        let statements = self.statements.read().unwrap_or_else(PoisonError::into_inner);
        let found = statements.get(&id)?;
        found.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Some(Arc::clone(found))
    }

    /// Keeps a statement.
    pub(super) fn insert(
        &self,
        id: StatementId,
        prepared: PreparedStatement,
    ) -> Arc<CachedStatement> {
        let statement = Arc::new(CachedStatement::new(prepared));
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        statement.used.store(now, Ordering::Relaxed);
        let mut statements = self.statements.write().unwrap_or_else(PoisonError::into_inner);
        statements.insert(id, Arc::clone(&statement));
        if statements.len() > STATEMENTS_MAX {
            let mut uses: Vec<_> =
                statements.values().map(|one| one.used.load(Ordering::Relaxed)).collect();
            let (_, last, _) = uses.select_nth_unstable(EVICTION_COUNT);
            let last = *last;
            statements.retain(|_, one| one.used.load(Ordering::Relaxed) >= last);
        }
        statement
    }

    /// Forgets a statement that does not fit the schema any more.
    pub(super) fn remove(&self, id: &[u8]) {
        if let Ok(id) = id.try_into() {
            let mut statements = self.statements.write().unwrap_or_else(PoisonError::into_inner);
            statements.remove(&StatementId(id));
        }
    }
}
