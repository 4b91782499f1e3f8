//! [`RequestMemory`]: bounds the bytes of all requests that wait or run, in all and per client
//! address (`native_transport_max_request_data_in_flight`, `..._per_ip`).

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The memory that requests may take, counted in bytes.
#[derive(Clone)]
pub(super) struct RequestMemory {
    permits: Arc<Semaphore>,
    limit: u32,
}

/// A part of the memory for requests, in all and of the client's address; released on drop.
pub(super) struct RequestPermit {
    _all: OwnedSemaphorePermit,
    _of_address: OwnedSemaphorePermit,
    _statements: Option<OwnedSemaphorePermit>,
}

impl RequestPermit {
    fn new(all: OwnedSemaphorePermit, of_address: OwnedSemaphorePermit) -> Self {
        Self { _all: all, _of_address: of_address, _statements: None }
    }

    /// The same, with memory for long statements.
    pub(super) fn with_statements(self, permit: Option<OwnedSemaphorePermit>) -> Self {
        Self { _statements: permit, ..self }
    }
}

impl RequestMemory {
    pub(super) fn new(bytes: u64) -> Self {
        let limit = u32::try_from(bytes).unwrap_or(u32::MAX).max(1);
        let permits = usize::try_from(limit).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self { permits: Arc::new(Semaphore::new(permits)), limit }
    }

    /// The limit in bytes.
    pub(super) fn limit(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(usize::MAX)
    }

    /// The bytes that are free.
    pub(super) fn free(&self) -> usize {
        self.permits.available_permits()
    }

    /// Waits until so many bytes are free.
    pub(super) async fn acquire(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.permits).acquire_many_owned(self.clamp(bytes)).await.ok()
    }

    fn clamp(&self, bytes: usize) -> u32 {
        u32::try_from(bytes).unwrap_or(u32::MAX).min(self.limit)
    }
}

/// Takes memory if it is free.
pub(super) fn try_admit(
    all: &RequestMemory,
    of_address: &RequestMemory,
    bytes: usize,
) -> Option<RequestPermit> {
    let part = Arc::clone(&of_address.permits).try_acquire_many_owned(of_address.clamp(bytes));
    let whole = Arc::clone(&all.permits).try_acquire_many_owned(all.clamp(bytes));
    Some(RequestPermit::new(whole.ok()?, part.ok()?))
}

/// Waits until memory is free. Meanwhile the connection reads no further requests.
pub(super) async fn admit(
    all: &RequestMemory,
    of_address: &RequestMemory,
    bytes: usize,
) -> Option<RequestPermit> {
    let part = of_address.acquire(bytes).await?;
    Some(RequestPermit::new(all.acquire(bytes).await?, part))
}
