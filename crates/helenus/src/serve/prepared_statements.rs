//! The prepared statements of all connections, with Cassandra's ids, so that drivers can reuse them
//! after a reconnect.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use cql::StatementId;
use engine::{PreparedStatement, ResultColumn};
use wire::{ColumnBlock, ProtocolVersion};

use super::translation;

/// The maximum number of statements; beyond it, the least recently used ones are evicted.
const STATEMENTS_MAX: usize = 10_000;
/// The number of statements evicted at once.
const EVICTION_COUNT: usize = STATEMENTS_MAX / 10;

/// A prepared statement, its encoded columns per protocol version, and its last use.
pub(super) struct CachedStatement {
    pub(super) prepared: PreparedStatement,
    blocks: [OnceLock<ColumnBlock>; ProtocolVersion::ALL.len()],
    used: AtomicU64,
}

impl CachedStatement {
    fn new(prepared: PreparedStatement) -> Self {
        Self { prepared, blocks: Default::default(), used: AtomicU64::new(0) }
    }

    /// The encoded columns for a protocol version.
    pub(super) fn block(&self, version: ProtocolVersion) -> &ColumnBlock {
        let [v3, v4] = &self.blocks;
        let block = match version {
            ProtocolVersion::V3 => v3,
            ProtocolVersion::V4 => v4,
        };
        block.get_or_init(|| column_block(version, &self.prepared.columns))
    }
}

/// Encodes columns for a protocol version.
pub(super) fn column_block(version: ProtocolVersion, columns: &[ResultColumn]) -> ColumnBlock {
    ColumnBlock::new(version, columns.iter().map(translation::column))
}

/// All prepared statements.
#[derive(Default)]
pub(super) struct PreparedStatements {
    statements: RwLock<HashMap<StatementId, Arc<CachedStatement>>>,
    /// A counter of uses, whose values order the statements by last use.
    uses: AtomicU64,
}

impl PreparedStatements {
    /// Finds a statement by id.
    pub(super) fn find(&self, id: &[u8]) -> Option<Arc<CachedStatement>> {
        let id = StatementId(id.try_into().ok()?);
        let statements = self.statements.read().unwrap_or_else(PoisonError::into_inner);
        let statement = statements.get(&id)?;
        statement.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Some(Arc::clone(statement))
    }

    /// Adds a statement, and evicts others if there are too many.
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
                statements.values().map(|cached| cached.used.load(Ordering::Relaxed)).collect();
            let (_, oldest_kept, _) = uses.select_nth_unstable(EVICTION_COUNT);
            let oldest_kept = *oldest_kept;
            statements.retain(|_, cached| cached.used.load(Ordering::Relaxed) >= oldest_kept);
        }
        statement
    }

    /// Removes a statement that no longer fits the schema.
    pub(super) fn remove(&self, id: &[u8]) {
        if let Ok(id) = id.try_into() {
            let mut statements = self.statements.write().unwrap_or_else(PoisonError::into_inner);
            statements.remove(&StatementId(id));
        }
    }
}
