//! Starting the cluster: its programs, its folder, its process, and the wait until it answers.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Less than a second on an idle machine; the rest is for busy ones.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running cluster: it listens on a Unix socket in its own folder and nowhere else.
pub(crate) struct PostgresCluster {
    /// The folder of the socket.
    pub(super) socket: PathBuf,
    /// The program that talks to it.
    pub(super) psql: PathBuf,
}

/// The folder of the server's programs, or the reason why there is none.
pub(super) fn find_programs() -> Result<PathBuf, String> {
    let missing = "PostgreSQL is not installed (Debian: apt-get install postgresql)";
    let output = Command::new("pg_config").arg("--bindir").output();
    let stated = output.ok().filter(|output| output.status.success());
    let stated = stated.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let installed = versions.map(|version| version.path().join("bin"));
    let has_server =
        |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).exists());
    stated.into_iter().chain(installed).find(has_server).ok_or_else(|| missing.to_owned())
}

/// Starts a cluster in a temporary folder and waits until it answers.
///
/// Statics are not dropped, so the cluster is stopped and removed by a watcher process that notices the end of this one
/// (`watch.sh`), however it ends.
pub(super) fn start(programs: &Path) -> Result<PostgresCluster, String> {
    let folder = std::env::temp_dir().join(format!("helenus-postgres-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    spawn(programs, &folder).map_err(|e| format!("the watcher: {e}"))?;
    let beside = programs.join("psql");
    let psql = if beside.exists() { beside } else { PathBuf::from("psql") };
    let cluster = PostgresCluster { socket: folder.clone(), psql };
    let deadline = Instant::now() + START_TIMEOUT;
    while cluster.run("SELECT 1;").is_err() {
        let exited = folder.join("exited").exists();
        if exited || Instant::now() > deadline {
            let log = fs::read(folder.join("log")).unwrap_or_default();
            let what = if exited { "it ended" } else { "it does not answer" };
            return Err(format!("{what}; its log:\n{}", String::from_utf8_lossy(&log)));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(cluster)
}

/// Starts the watcher, which makes and starts the cluster, and ends it when this process is gone.
fn spawn(programs: &Path, folder: &Path) -> io::Result<()> {
    let mut command = Command::new("sh");
    command.args(["-c", include_str!("watch.sh"), "watch"]).arg(folder).arg(programs);
    // A group of its own: an interrupt at the terminal ends the tests, and the watcher then ends the cluster.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut watcher = command.spawn()?;
    // The pipe must stay open as long as this process lives.
    std::mem::forget(watcher.stdin.take());
    Ok(())
}
