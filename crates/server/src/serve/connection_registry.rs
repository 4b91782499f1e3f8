//! [`ConnectionRegistry`]: all connections, and who may open another.
//!
//! A connection that has not finished its handshake holds its place only until it is needed: the
//! oldest such connection is closed when its address has more than its share of them, or when there
//! are too many connections in all. So connections that never finish lock nobody out.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::ClientStatus;

use super::admission::RequestMemory;
use super::client_connection::ClientConnection;

/// The share of all connections that one address may have in the handshake: one in this many.
const HANDSHAKE_SHARE: usize = 8;

/// All connections.
pub(super) struct ConnectionRegistry {
    state: Mutex<RegistryState>,
    connections_max: usize,
    /// The memory for requests of one address, in bytes.
    address_memory: u64,
}

#[derive(Default)]
struct RegistryState {
    /// By number, in the order of their arrival.
    connections: BTreeMap<u64, RegistryEntry>,
    next: u64,
    addresses: HashMap<IpAddr, AddressEntry>,
}

struct RegistryEntry {
    connection: Arc<ClientConnection>,
    is_ready: bool,
}

struct AddressEntry {
    memory: RequestMemory,
    connections: usize,
    /// Those in the handshake.
    unready: usize,
}

/// A registered connection; removed on drop.
pub(super) struct Registration {
    registry: Arc<ConnectionRegistry>,
    number: u64,
    /// The memory for requests of its address.
    pub(super) memory: RequestMemory,
}

impl ConnectionRegistry {
    pub(super) fn new(connections_max: usize, address_memory: u64) -> Self {
        Self { state: Mutex::default(), connections_max, address_memory }
    }

    /// Adds a connection; `None` if there are too many that are in use.
    pub(super) fn register(
        self: &Arc<Self>,
        connection: &Arc<ClientConnection>,
    ) -> Option<Registration> {
        let address = connection.peer.ip();
        let mut state = self.lock();
        let unready = state.addresses.get(&address).map_or(0, |entry| entry.unready);
        let evicted = if unready >= (self.connections_max / HANDSHAKE_SHARE).max(1) {
            state.take_oldest_unready(|peer| peer.ip() == address)
        } else if state.connections.len() >= self.connections_max {
            Some(state.take_oldest_unready(|_| true)?)
        } else {
            None
        };
        let number = state.next;
        state.next += 1;
        let entry = RegistryEntry { connection: Arc::clone(connection), is_ready: false };
        state.connections.insert(number, entry);
        let entry = state.addresses.entry(address).or_insert_with(|| AddressEntry {
            memory: RequestMemory::new(self.address_memory),
            connections: 0,
            unready: 0,
        });
        entry.connections += 1;
        entry.unready += 1;
        let memory = entry.memory.clone();
        drop(state);
        if let Some(evicted) = evicted {
            evicted.close();
        }
        Some(Registration { registry: Arc::clone(self), number, memory })
    }

    /// All connections.
    pub(super) fn list(&self) -> Vec<Arc<ClientConnection>> {
        self.lock().connections.values().map(|entry| Arc::clone(&entry.connection)).collect()
    }

    /// What system tables show of all clients.
    pub(super) fn list_clients(&self) -> Vec<ClientStatus> {
        let state = self.lock();
        state.connections.values().map(|entry| entry.connection.status(entry.is_ready)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, RegistryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RegistryState {
    fn take_oldest_unready(
        &mut self,
        is_candidate: impl Fn(SocketAddr) -> bool,
    ) -> Option<Arc<ClientConnection>> {
        let mut entries = self.connections.iter();
        let oldest =
            entries.find(|(_, entry)| !entry.is_ready && is_candidate(entry.connection.peer));
        let number = *oldest?.0;
        self.remove(number)
    }

    fn remove(&mut self, number: u64) -> Option<Arc<ClientConnection>> {
        let removed = self.connections.remove(&number)?;
        let address = removed.connection.peer.ip();
        if let Some(entry) = self.addresses.get_mut(&address) {
            entry.connections -= 1;
            entry.unready -= usize::from(!removed.is_ready);
            if entry.connections == 0 {
                self.addresses.remove(&address);
            }
        }
        Some(removed.connection)
    }

    fn set_ready(&mut self, number: u64) {
        let Some(entry) = self.connections.get_mut(&number).filter(|entry| !entry.is_ready) else {
            return;
        };
        entry.is_ready = true;
        let address = entry.connection.peer.ip();
        if let Some(entry) = self.addresses.get_mut(&address) {
            entry.unready -= 1;
        }
    }
}

impl Registration {
    /// The handshake is done: the connection keeps its place.
    pub(super) fn set_ready(&self) {
        self.registry.lock().set_ready(self.number);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.registry.lock().remove(self.number);
    }
}
