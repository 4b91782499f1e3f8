//! [`CallProgress`]: tells the client how long a call has run, if it asked for that.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};

/// Where the progress of a call is reported.
pub(super) struct CallProgress {
    token: Option<ProgressToken>,
    peer: Peer<RoleServer>,
    tool: &'static str,
    /// The longest time that the call may take.
    seconds_max: f64,
}

impl CallProgress {
    pub(super) fn new(
        context: &RequestContext<RoleServer>,
        tool: &'static str,
        seconds_max: f64,
    ) -> Self {
        let token = context.meta.get_progress_token();
        Self { token, peer: context.peer.clone(), tool, seconds_max }
    }

    /// Reports the seconds that have passed.
    pub(super) async fn report(&self, seconds: f64) {
        let Some(token) = self.token.clone() else { return };
        let message = format!("{} has run for {seconds:.0} s", self.tool);
        let progress = ProgressNotificationParam::new(token, seconds)
            .with_total(self.seconds_max)
            .with_message(message);
        // A client that does not listen still gets the answer.
        let _ = self.peer.notify_progress(progress).await;
    }
}
