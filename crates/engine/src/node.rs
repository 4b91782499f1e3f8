//! What all sessions of a database share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use schema::ddl::Change;
use storage::Store;
use storage::clock::Clock;

use crate::auth;
use crate::database::random_id;
use crate::entropy::Entropy;
use crate::error::Result;
use crate::function::Ids;
use crate::journal::{self, Entry};
use crate::locks::Locks;
use crate::schema::Schema;
use crate::schema_lock::SchemaLock;
use crate::settings::Settings;

/// The shared part of a database.
pub(crate) struct Node {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) settings: Settings,
    pub(crate) identity: Identity,
    /// When it was started, in microseconds since 1970.
    pub(crate) started_at: i64,
    pub(crate) store: Store,
    /// Held while a schema statement runs: they run one after the other.
    pub(crate) schema_changes: Mutex<()>,
    /// Partitions that are read before they are written.
    pub(crate) locks: Locks,
    /// The roles, as they were last read.
    pub(crate) known_roles: auth::Known,
    /// What is run again when the database is opened.
    history: Mutex<Vec<Entry>>,
    schema: SchemaLock,
    last_timestamp: AtomicI64,
    last_tick: AtomicI64,
    front_tick: AtomicI64,
}

/// Ticks of 100 nanoseconds between the start of the Gregorian calendar, from which time-based ids count, and 1970.
const GREGORIAN_TICKS: i64 = 122_192_928_000_000_000;
/// The start of 2010, in microseconds: elements put in front of a list are as far before it as they come after it.
const FRONT_REFERENCE: i64 = 1_262_304_000_000_000;

/// What the node says of itself.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The name of the cluster.
    pub cluster_name: Box<str>,
    /// The node's own id.
    pub host_id: [u8; 16],
    /// Where clients reach it.
    pub address: std::net::IpAddr,
    /// The port.
    pub port: u16,
}

impl Default for Identity {
    fn default() -> Self {
        Self {
            cluster_name: "Test Cluster".into(),
            host_id: [0; 16],
            address: std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
            port: 9042,
        }
    }
}

impl Ids for Node {
    fn uuid(&self) -> [u8; 16] {
        let [high, low] = [self.entropy.next(), self.entropy.next()];
        let mut id = ((u128::from(high) << 64) | u128::from(low)).to_be_bytes();
        id[6] = 0x40 | (id[6] & 0x0f);
        id[8] = 0x80 | (id[8] & 0x3f);
        id
    }

    fn time_uuid(&self) -> [u8; 16] {
        self.next_time_id()
    }
}

impl Node {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        settings: Settings,
        identity: Identity,
        store: Store,
        (schema, history): (Schema, Vec<Entry>),
    ) -> Self {
        Self {
            started_at: clock.now_micros(),
            clock,
            entropy,
            settings,
            identity,
            store,
            schema_changes: Mutex::new(()),
            locks: Locks::default(),
            known_roles: auth::Known::default(),
            history: Mutex::new(history),
            schema: SchemaLock::new(schema),
            last_timestamp: AtomicI64::new(i64::MIN),
            last_tick: AtomicI64::new(i64::MIN),
            front_tick: AtomicI64::new(i64::MAX),
        }
    }

    /// Makes a change of the schema durable, before it is made.
    pub(crate) fn remember(&self, entry: Entry, change: &Change) -> Result<()> {
        self.store.record_schema(&entry.encode())?;
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        journal::forget_lost(&mut history, change);
        if !matches!(change, Change::DropKeyspace(_) | Change::DropTable { .. }) {
            history.push(entry);
        }
        Ok(())
    }

    /// The history, in the form in which it is kept.
    pub(crate) fn history(&self) -> Vec<Vec<u8>> {
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.iter().map(Entry::encode).collect()
    }

    /// The schema as it is now.
    pub(crate) fn schema(&self) -> Arc<Schema> {
        self.schema.snapshot()
    }

    /// What a [`SchemaGuard`](crate::schema_lock::SchemaGuard) holds.
    pub(crate) fn schema_lock(&self) -> &SchemaLock {
        &self.schema
    }

    /// Microseconds since 1970, never the same twice and never going back.
    pub(crate) fn unique_micros(&self) -> i64 {
        let now = self.clock.now_micros();
        let next = |last: i64| Some(now.max(last.saturating_add(1)));
        match self.last_timestamp.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(last) | Err(last) => now.max(last.saturating_add(1)),
        }
    }

    /// A time-based id, later than all before it.
    pub(crate) fn next_time_id(&self) -> [u8; 16] {
        let now = self.clock.now_micros().saturating_mul(10);
        let later = |last: i64| now.max(last.saturating_add(1));
        let last = self
            .last_tick
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(later(last)));
        self.time_id(later(last.unwrap_or_else(|last| last)))
    }

    /// A time-based id of the past, earlier than all before it.
    pub(crate) fn next_front_id(&self) -> [u8; 16] {
        let mirrored = FRONT_REFERENCE.saturating_mul(2).saturating_sub(self.clock.now_micros());
        let mirrored = mirrored.saturating_mul(10);
        let earlier = |last: i64| mirrored.min(last.saturating_sub(1));
        let last = self
            .front_tick
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(earlier(last)));
        self.time_id(earlier(last.unwrap_or_else(|last| last)))
    }

    /// The time-based id (version 1) of a tick since 1970 and this node.
    fn time_id(&self, tick: i64) -> [u8; 16] {
        let ticks = tick.saturating_add(GREGORIAN_TICKS).to_be_bytes();
        let mut id = [0; 16];
        id[..4].copy_from_slice(&ticks[4..]);
        id[4..6].copy_from_slice(&ticks[2..4]);
        id[6..8].copy_from_slice(&ticks[..2]);
        id[6] = 0x10 | (id[6] & 0x0f);
        id[8..].copy_from_slice(&self.identity.host_id[8..]);
        id[8] = 0x80 | (id[8] & 0x3f);
        id
    }

    /// A random id, version 4.
    pub(crate) fn random_id(&self) -> [u8; 16] {
        random_id(&*self.entropy)
    }
}
