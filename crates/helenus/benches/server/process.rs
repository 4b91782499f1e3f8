//! The processes of servers under load.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// A server in a process of its own, on a port of its choice.
pub(crate) struct ServerProcess {
    child: Child,
    pub(crate) address: String,
}

impl ServerProcess {
    /// Our server with a data folder, a sync mode and further arguments.
    pub(crate) fn start(folder: &Path, mode: &str, further: &[String]) -> Self {
        let began = Instant::now();
        let mut command = Command::new(find_helenus());
        command.args(["serve", "--port", "0", "--sync", mode, "--data"]).arg(folder).args(further);
        let server = Self::spawn(&mut command);
        println!("serve: ready after {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid()));
        let status = status.unwrap_or_default();
        for resident in status.lines().filter(|line| line.starts_with("VmRSS")) {
            println!("serve: idle {resident}");
        }
        server
    }

    /// The server of canned responses, which asks ours once.
    pub(crate) fn start_canned(upstream: &str) -> Self {
        let program = std::env::current_exe().unwrap();
        Self::spawn(Command::new(program).args(["--canned", upstream]))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().find(|word| word.contains(':')).unwrap();
        let address = address.trim_end_matches([',', '.']).to_owned();
        Self { child, address }
    }

    pub(crate) fn pid(&self) -> u64 {
        u64::from(self.child.id())
    }

    pub(crate) fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program: the one that `HELENUS` names, else the one that was built for the benchmark.
pub(crate) fn find_helenus() -> PathBuf {
    std::env::var_os("HELENUS").map_or_else(|| env!("CARGO_BIN_EXE_helenus").into(), PathBuf::from)
}

/// The CPU time of a process so far, in seconds.
pub(crate) fn cpu_seconds(pid: u64) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}
