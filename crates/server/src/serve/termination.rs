//! [`TerminationSignals`]: stops a server when the process is told to end.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Server;

/// Resolves to the name of the first termination signal that the process receives.
#[derive(Debug)]
pub struct TerminationSignals([(&'static str, Signal); 2]);

impl TerminationSignals {
    /// Listens to the signals from now on; they no longer end the process by themselves.
    pub fn listen(server: &Server) -> io::Result<Self> {
        let _context = server.runtime.enter();
        Ok(Self([
            ("SIGINT", signal(SignalKind::interrupt())?),
            ("SIGTERM", signal(SignalKind::terminate())?),
        ]))
    }
}

impl Future for TerminationSignals {
    type Output = &'static str;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        for (name, signal) in &mut self.0 {
            if signal.poll_recv(context).is_ready() {
                return Poll::Ready(*name);
            }
        }
        Poll::Pending
    }
}
