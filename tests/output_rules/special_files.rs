//! Pipes, devices and directories where a file is wanted: refused at once, by every command.
#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{command, make_folder, remove_folder, text};

/// A busy machine takes its time to start a program; what hangs, hangs for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// Command lines that read the file `{}`, with the exit code when it is none.
const READERS: &[(i32, &[&str])] = &[
    (2, &["check", "{}"]),
    // The other files are checked.
    (1, &["check", "--schema", "{}", "schema.cql"]),
    (2, &["check", "--model", "{}", "schema.cql"]),
    (2, &["check", "--config", "{}", "schema.cql"]),
    (2, &["design", "{}"]),
    (2, &["design", "model.sql", "--stats", "{}"]),
    (2, &["design", "model.sql", "--prices", "{}"]),
    (2, &["design", "model.sql", "--on", "127.0.0.1:1", "--credentials", "{}"]),
    (2, &["design", "model.sql", "--on", "127.0.0.1:1", "--tls-ca", "{}"]),
    (2, &["diagram", "{}"]),
    (2, &["doctor", "{}"]),
    (2, &["doctor", "diff", "{}", "{}"]),
    (2, &["estimate", "{}"]),
    (2, &["explain", "--schema", "{}", "SELECT v FROM ks.t"]),
    (2, &["explain", "--schema", "schema.cql", "--model", "{}", "SELECT v FROM ks.t"]),
    (2, &["explain", "--trace", "{}"]),
    (2, &["fmt", "{}"]),
    (2, &["fmt", "--check", "{}"]),
    (2, &["generate", "{}", "--lang", "python", "-o", "code"]),
    (
        2,
        &[
            "generate",
            "--schema",
            "{}",
            "--queries",
            "schema.cql",
            "--lang",
            "python",
            "-o",
            "code",
        ],
    ),
    (
        2,
        &[
            "generate",
            "--schema",
            "schema.cql",
            "--queries",
            "{}",
            "--lang",
            "python",
            "-o",
            "code",
        ],
    ),
    (2, &["init", "{}"]),
    (2, &["run", "{}"]),
    (2, &["serve", "--port", "0", "--config", "{}"]),
    (2, &["serve", "--port", "0", "--init", "{}"]),
    (2, &["serve", "--port", "0", "--tls-certificate", "{}", "--tls-key", "{}"]),
    (2, &["shell", "-f", "{}"]),
    (1, &["shell", "-e", "SOURCE '{}'"]),
    (2, &["verify-copies", "{}", "--on", "127.0.0.1:1"]),
];

/// Command lines that write the file or the folder `{}`.
const WRITERS: &[(i32, &[&str])] = &[
    (2, &["check", "--html", "{}", "schema.cql"]),
    (2, &["check", "--write-baseline", "--baseline", "{}", "schema.cql"]),
    (2, &["design", "model.sql", "-o", "{}"]),
    (2, &["diagram", "model.sql", "--format", "svg", "-o", "{}"]),
    (2, &["estimate", "model.sql", "--html", "{}"]),
    (2, &["generate", "model.sql", "--lang", "python", "-o", "{}"]),
    (2, &["init", "--force", "-o", "{}"]),
    (2, &["man", "--dir", "{}"]),
    (2, &["run", "--data", "{}", "schema.cql"]),
    (2, &["serve", "--port", "0", "--data", "{}"]),
    (2, &["serve", "--port", "0", "--log", "{}"]),
    (2, &["serve", "--port", "0", "--port-file", "{}"]),
    (2, &["shell", "--data", "{}", "-e", "SELECT v FROM ks.t"]),
    (1, &["shell", "-e", "CAPTURE '{}'"]),
    (1, &["shell", "-e", "COPY system.local (key) TO '{}'"]),
];

/// Whether the exit code and the message come in time.
fn refuses(folder: &Path, line: &[&str], path: &str, code: i32) -> Result<(), String> {
    let line: Vec<String> = line.iter().map(|word| word.replace("{}", path)).collect();
    let words: Vec<&str> = line.iter().map(String::as_str).collect();
    let mut child = command(folder, &words)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let start = Instant::now();
    loop {
        if child.try_wait().expect("its state is known").is_some() {
            break;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("it runs");
            child.wait().expect("it was killed");
            return Err(format!("{} hangs", line.join(" ")));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it ended");
    let message = text(&output.stderr);
    let is_named =
        ["pipe", "device", "directory", "regular file"].iter().any(|it| message.contains(it));
    if output.status.code() == Some(code) && is_named {
        return Ok(());
    }
    Err(format!("{}: {:?} {message}", line.join(" "), output.status.code()))
}

#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = make_folder("special");
    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let pipe = pipe.display().to_string();
    let mut wrong = Vec::new();
    for (code, line) in READERS {
        wrong.extend(refuses(&folder, line, &pipe, *code).err());
        wrong.extend(refuses(&folder, line, "/dev/zero", *code).err());
    }
    remove_folder(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file that is renamed over a device takes its place, and a pipe without a reader hangs.
#[test]
fn pipes_and_devices_are_not_written() {
    let folder = make_folder("special-outputs");
    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    // A link stands for a device: were it replaced, the device would stay.
    std::os::unix::fs::symlink("pipe", folder.join("link")).expect("a link");
    let mut wrong = Vec::new();
    for (code, line) in WRITERS {
        for name in ["pipe", "link"] {
            wrong.extend(refuses(&folder, line, name, *code).err());
        }
    }
    let kind = fs::symlink_metadata(&pipe).expect("it exists").file_type();
    let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&kind);
    remove_folder(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(is_pipe);
}

#[test]
fn directories_are_no_files() {
    let folder = make_folder("directory");
    fs::create_dir(folder.join("directory")).unwrap();
    let takes_folders =
        ["check", "design", "diagram", "doctor", "estimate", "fmt", "generate", "run", "serve"];
    let mut wrong = Vec::new();
    for (code, line) in READERS {
        let position = line.iter().position(|word| *word == "{}");
        // The first argument of these may be a folder, and so may a schema or a model.
        let is_folder = takes_folders.contains(&line[0]) && position == Some(1)
            || ["--schema", "--init", "--model", "--check", "diff"]
                .iter()
                .any(|option| position.is_some_and(|at| line[at - 1] == *option));
        if !is_folder && line[0] != "verify-copies" {
            wrong.extend(refuses(&folder, line, "directory", *code).err());
        }
    }
    remove_folder(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `/dev/stdin` is what users mean by `-`.
#[test]
fn standard_input_has_several_names() {
    let folder = make_folder("stdin");
    for (file, name, arguments) in [
        ("model.sql", "-", &["design", "--no-prove"][..]),
        ("model.sql", "/dev/stdin", &["design", "--no-prove"]),
        ("schema.cql", "/dev/stdin", &["check", "--fail-on", "error"]),
        ("schema.cql", "/dev/stdin", &["run"]),
        ("schema.cql", "/dev/stdin", &["fmt"]),
    ] {
        let input = File::open(folder.join(file)).unwrap();
        let output = command(&folder, arguments).arg(name).stdin(input).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    }
    let zeros = File::open("/dev/zero").unwrap();
    let output = command(&folder, &["design", "-"]).stdin(zeros).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("binary"), "{}", text(&output.stderr));
    remove_folder(&folder);
}
