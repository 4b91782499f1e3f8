//! The prepared statements of all connections, with Cassandra's ids, so that drivers can reuse them
//! after a reconnect. They are bounded by their memory, in all and per role: beyond it, those that
//! were not used for the longest time are evicted, first those of the role that has too many.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

use cql::{SchemaChange, StatementId};
use engine::{PreparedStatement, PreparedStatus, ResultColumn};
use wire::{ColumnBlock, ErrorKind, ErrorMessage, ProtocolVersion};

use super::translation;

/// An eviction frees one part in this many of the limit, so that it is rare.
const EVICTION_SHARE: usize = 10;
/// The part of the memory that one role may take: one in this many.
const ROLE_SHARE: usize = 2;

/// A prepared statement, its encoded columns per protocol version, and its last use.
pub(super) struct CachedStatement {
    pub(super) prepared: PreparedStatement,
    /// For version 3, 4, and 5 with 6.
    blocks: [OnceLock<ColumnBlock>; 3],
    metadata_id: OnceLock<[u8; 16]>,
    used: AtomicU64,
    /// The role that prepared it last.
    role: Option<Box<str>>,
    bytes: usize,
}

impl CachedStatement {
    /// The role that prepared it last.
    pub(super) fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// The id of its result columns.
    pub(super) fn metadata_id(&self) -> &[u8; 16] {
        self.metadata_id.get_or_init(|| {
            wire::compute_metadata_id(self.prepared.columns.iter().map(translation::column))
        })
    }

    /// The encoded columns for a protocol version.
    pub(super) fn block(&self, version: ProtocolVersion) -> &ColumnBlock {
        let [v3, v4, v5] = &self.blocks;
        let block = match version {
            ProtocolVersion::V3 => v3,
            ProtocolVersion::V4 => v4,
            ProtocolVersion::V5 | ProtocolVersion::V6 => v5,
        };
        block.get_or_init(|| column_block(version, &self.prepared.columns))
    }
}

/// Encodes columns for a protocol version.
pub(super) fn column_block(version: ProtocolVersion, columns: &[ResultColumn]) -> ColumnBlock {
    ColumnBlock::new(version, columns.iter().map(translation::column))
}

/// All prepared statements.
pub(super) struct PreparedStatements {
    cache: RwLock<StatementCache>,
    /// A counter of uses, whose values order the statements by last use.
    uses: AtomicU64,
    /// The maximum memory in bytes.
    limit: usize,
}

#[derive(Default)]
struct StatementCache {
    statements: HashMap<StatementId, Arc<CachedStatement>>,
    bytes: usize,
    bytes_by_role: HashMap<Option<Box<str>>, usize>,
}

impl PreparedStatements {
    pub(super) fn new(limit: usize) -> Self {
        Self { cache: RwLock::default(), uses: AtomicU64::new(0), limit }
    }

    /// Finds a statement by id.
    pub(super) fn find(&self, id: &[u8]) -> Option<Arc<CachedStatement>> {
        let id = StatementId(id.try_into().ok()?);
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        let statement = cache.statements.get(&id)?;
        statement.used.store(self.uses.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Some(Arc::clone(statement))
    }

    /// Adds a statement of a role, and evicts others if they take too much memory.
    pub(super) fn insert(
        &self,
        id: StatementId,
        prepared: PreparedStatement,
        role: Option<&str>,
    ) -> Result<Arc<CachedStatement>, ErrorMessage> {
        let bytes = prepared.byte_size();
        // Without roles, one client may use it all.
        let role_limit = if role.is_some() { self.limit / ROLE_SHARE } else { self.limit };
        if bytes > role_limit {
            let start: String = prepared.text.chars().take(200).collect();
            let message = format!(
                "Prepared statement of size {bytes} bytes is larger than allowed maximum of {} MB: {start}...",
                role_limit >> 20
            );
            return Err(ErrorMessage::new(ErrorKind::Invalid, message));
        }
        let statement = Arc::new(CachedStatement {
            prepared,
            blocks: Default::default(),
            metadata_id: OnceLock::new(),
            used: AtomicU64::new(self.uses.fetch_add(1, Ordering::Relaxed)),
            role: role.map(Into::into),
            bytes,
        });
        let mut cache = self.write();
        cache.remove(&id);
        cache.bytes += bytes;
        *cache.bytes_by_role.entry(statement.role.clone()).or_default() += bytes;
        cache.statements.insert(id, Arc::clone(&statement));
        let of_role = cache.bytes_by_role.get(&statement.role).copied().unwrap_or(0);
        if of_role > role_limit {
            let target = of_role - role_limit + role_limit / EVICTION_SHARE;
            cache.evict(target, |cached| cached.role == statement.role);
        }
        if cache.bytes > self.limit {
            let target = cache.bytes - self.limit + self.limit / EVICTION_SHARE;
            cache.evict(target, |_| true);
        }
        Ok(statement)
    }

    /// Removes a statement that no longer fits the schema.
    pub(super) fn remove(&self, id: &[u8]) {
        if let Ok(id) = id.try_into() {
            self.write().remove(&StatementId(id));
        }
    }

    /// Removes the statements that a change of the schema concerns: their clients prepare them
    /// again, and learn what has changed.
    pub(super) fn remove_affected(&self, change: &SchemaChange) {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        let affected = cache.statements.iter().filter(|(_, it)| it.prepared.is_affected_by(change));
        let affected: Vec<_> = affected.map(|(id, _)| *id).collect();
        drop(cache);
        if !affected.is_empty() {
            let mut cache = self.write();
            for id in &affected {
                cache.remove(id);
            }
        }
    }

    /// All statements, for the system table.
    pub(super) fn list(&self) -> Vec<PreparedStatus> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        let mut list: Vec<_> = cache
            .statements
            .iter()
            .map(|(id, cached)| PreparedStatus {
                id: *id,
                keyspace: cached.prepared.keyspace_of_names().map(ToOwned::to_owned),
                text: cached.prepared.text.to_string(),
            })
            .collect();
        list.sort_unstable_by_key(|status| status.id.0);
        list
    }

    fn write(&self) -> RwLockWriteGuard<'_, StatementCache> {
        self.cache.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StatementCache {
    fn remove(&mut self, id: &StatementId) {
        let Some(removed) = self.statements.remove(id) else { return };
        self.bytes -= removed.bytes;
        if let Some(bytes) = self.bytes_by_role.get_mut(&removed.role) {
            *bytes -= removed.bytes;
            if *bytes == 0 {
                self.bytes_by_role.remove(&removed.role);
            }
        }
    }

    /// Evicts the least recently used of some statements until so many bytes are free.
    fn evict(&mut self, target: usize, is_candidate: impl Fn(&CachedStatement) -> bool) {
        let candidates = self.statements.iter().filter(|(_, cached)| is_candidate(cached));
        let mut candidates: Vec<_> = candidates
            .map(|(id, cached)| (cached.used.load(Ordering::Relaxed), *id, cached.bytes))
            .collect();
        candidates.sort_unstable_by_key(|(used, ..)| *used);
        let mut freed = 0;
        for (_, id, bytes) in candidates {
            if freed >= target {
                return;
            }
            freed += bytes;
            self.remove(&id);
        }
    }
}
