//! Progress is shown on standard error if that is a terminal, and after a second.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{MODEL, make_folder, remove_folder, run, text};
use crate::print_uncaptured;

/// Runs a command with a terminal as standard error, and prints what it shows.
const TERMINAL: &str = "
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=theirs, stdin=subprocess.DEVNULL)
os.close(theirs)
shown = b''
while True:
    try:
        part = os.read(ours, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
sys.stdout.write(shown.decode(errors='replace'))
child.stdout.read()
sys.exit(child.wait())
";

#[test]
fn progress_is_for_terminals() {
    let folder = make_folder("progress");
    let arguments = ["design", "model.sql", "--prove", "100M", "--prove-time", "3s"];
    // Progress appears after a second, so the proof has to take longer than that, however fast the machine is.
    for rows in ["100k", "400k", "1600k", "6400k"] {
        let model = MODEL.replace("@rows 10k", &format!("@rows {rows}"));
        fs::write(folder.join("model.sql"), model).expect("a file can be written");
        let start = Instant::now();
        let piped = run(&folder, &arguments);
        assert!(piped.stderr.is_empty(), "{}", text(&piped.stderr));
        if start.elapsed() > Duration::from_secs(2) {
            break;
        }
    }
    let shown = |arguments: &[&str]| {
        let output = Command::new("python3")
            .args(["-c", TERMINAL, env!("CARGO_BIN_EXE_helenus")])
            .args(arguments)
            .current_dir(&folder)
            // The terminal that the script opens; on one without a name or a dumb one nothing is drawn.
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .output()
            .expect("python3 runs");
        text(&output.stdout)
    };
    if Command::new("python3").arg("--version").output().is_err() {
        print_uncaptured("SKIPPED: progress on terminals: no `python3`");
        return remove_folder(&folder);
    }
    let long = shown(&arguments);
    assert!(long.contains("proof: ") && long.contains(" %"), "{long:?}");
    // What is short shows nothing.
    let short = shown(&["fmt", "--check", "schema.cql"]);
    assert!(!short.contains('%'), "{short:?}");
    remove_folder(&folder);
}
