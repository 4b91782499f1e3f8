//! The windows of a time window compaction.

use schema::compaction_window::CompactionWindow;

/// The size and the unit of the windows that what lives so many seconds should have.
pub(crate) fn window_for_ttl(ttl: f64) -> (String, &'static str) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time to live is at most twenty years"
    )]
    let window = CompactionWindow::for_life(ttl.ceil().max(1.0) as u64);
    (window.size.to_string(), window.unit)
}
