//! Ctrl-C: it ends what runs, not the process, so that what was begun can be put away.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Remembers that Ctrl-C was pressed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupts(Arc<AtomicBool>);

impl Interrupts {
    /// Listens to Ctrl-C from now on; before, it ends the process.
    pub(crate) fn listen(&self) -> io::Result<()> {
        self.listen_to(&[SignalKind::interrupt()])
    }

    /// Listens to all by which a process is asked to end.
    pub(crate) fn listen_to_every_end(&self) -> io::Result<()> {
        self.listen_to(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])
    }

    fn listen_to(&self, kinds: &[SignalKind]) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_io().build()?;
        // Before the first line is read: the editor puts back the handler that it finds.
        let signals = {
            let _within = runtime.enter();
            kinds.iter().map(|kind| signal(*kind)).collect::<io::Result<Vec<Signal>>>()?
        };
        for mut signal in signals {
            let pressed = Arc::clone(&self.0);
            runtime.spawn(async move {
                while signal.recv().await.is_some() {
                    pressed.store(true, Ordering::Relaxed);
                }
            });
        }
        std::thread::Builder::new()
            .name("interrupts".to_owned())
            .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
        Ok(())
    }

    /// Whether it was pressed.
    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What was pressed before does not count.
    pub(crate) fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
