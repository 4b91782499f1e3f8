//! Signals: Ctrl-C raises a flag instead of ending the process, so that the running work can stop
//! and clean up.

use std::io;

use shell::InterruptFlag;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Raises the flag on Ctrl-C from now on, instead of ending the process.
pub(crate) fn listen_to_ctrl_c(flag: &InterruptFlag) -> io::Result<()> {
    listen(flag, &[SignalKind::interrupt()])
}

/// Raises the flag on every signal that requests termination.
pub(crate) fn listen_to_termination(flag: &InterruptFlag) -> io::Result<()> {
    listen(flag, &[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])
}

fn listen(flag: &InterruptFlag, kinds: &[SignalKind]) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    // Installed before the first line is read: the line editor restores the handler that it finds.
    let signals = {
        let _context = runtime.enter();
        kinds.iter().map(|kind| signal(*kind)).collect::<io::Result<Vec<Signal>>>()?
    };
    for mut signal in signals {
        let flag = flag.clone();
        runtime.spawn(async move {
            while signal.recv().await.is_some() {
                flag.raise();
            }
        });
    }
    std::thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
    Ok(())
}
