//! Ctrl-C at the prompt: it ends what runs, not the shell.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// Remembers that Ctrl-C was pressed.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupts(Arc<AtomicBool>);

impl Interrupts {
    /// Listens from now on; before, Ctrl-C ends the process.
    pub(super) fn listen(&self) -> io::Result<()> {
        let pressed = Arc::clone(&self.0);
        let runtime = Builder::new_current_thread().enable_io().build()?;
        // Before the first line is read: the editor puts back the handler that it finds.
        let mut signals = {
            let _within = runtime.enter();
            signal(SignalKind::interrupt())?
        };
        let listen = async move {
            while signals.recv().await.is_some() {
                pressed.store(true, Ordering::Relaxed);
            }
        };
        std::thread::Builder::new()
            .name("interrupts".to_owned())
            .spawn(move || runtime.block_on(listen))?;
        Ok(())
    }

    /// Whether it was pressed.
    pub(super) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What was pressed before does not count.
    pub(super) fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
