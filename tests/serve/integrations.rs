//! The helpers of `integrations/`, each with its own example in its own language.
//!
//! A helper is copied to a folder in the cache, where its packages are installed once. Without its toolchain, or if the
//! packages cannot be installed, it is skipped.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::print_uncaptured;

/// A helper: its folder, the commands that install its packages, and the command that runs its example.
struct TestIntegration {
    folder: &'static str,
    install: &'static [&'static [&'static str]],
    test: &'static [&'static str],
}

const PYTEST: &str = "import sys; sys.path.insert(0, '..'); import pytest; \
    sys.exit(pytest.main(['-q', '-p', 'pytest_helenus', '-p', 'no:cacheprovider']))";

#[test]
fn pytest() {
    run(&TestIntegration {
        folder: "python",
        install: &[
            &["python3", "-m", "venv", "environment"],
            &[
                "environment/bin/pip",
                "install",
                "--quiet",
                "pytest==8.3.4",
                "cassandra-driver==3.30.1",
            ],
        ],
        test: &["sh", "-c", "cd tests && exec ../environment/bin/python -c \"$0\"", PYTEST],
    });
}

#[test]
fn node() {
    run(&TestIntegration {
        folder: "node",
        install: &[&["npm", "install", "--silent", "--no-audit", "--no-fund"]],
        test: &["node", "--test", "test/"],
    });
}

#[test]
fn go() {
    run(&TestIntegration {
        folder: "go",
        install: &[&["go", "mod", "download"]],
        test: &["go", "test", "./..."],
    });
}

#[test]
fn junit() {
    run(&TestIntegration {
        folder: "java",
        install: &[&["mvn", "-q", "-B", "dependency:go-offline"]],
        test: &["mvn", "-q", "-B", "test"],
    });
}

fn run(helper: &TestIntegration) {
    // The lock is held to the end: a second test run waits here.
    let (folder, _lock) = match install(helper) {
        Ok(installed) => installed,
        Err(reason) => {
            print_uncaptured(&format!("SKIPPED: integrations/{}: {reason}", helper.folder));
            return;
        }
    };
    let output = execute(&folder, helper.test).expect("what was installed runs");
    assert!(output.status.success(), "integrations/{}:\n{}", helper.folder, text(&output));
}

/// Copies a helper to the cache and installs its packages, unless that was done before.
fn install(helper: &TestIntegration) -> Result<(PathBuf, File), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations");
    let cache = cache_folder().ok_or("no home folder to install it in")?;
    let folder = cache.join("integrations").join(helper.folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let lock = File::create(folder.join(".lock")).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;
    copy(&source.join(helper.folder), &folder).map_err(|error| error.to_string())?;
    let marker = folder.join(".installed");
    if marker.exists() {
        return Ok((folder, lock));
    }
    for command in helper.install {
        let output = execute(&folder, command)?;
        if !output.status.success() {
            let said = text(&output);
            let last = said.lines().last().unwrap_or("no output").to_owned();
            return Err(format!("{} failed: {last}", command.join(" ")));
        }
    }
    fs::write(&marker, "").map_err(|error| error.to_string())?;
    Ok((folder, lock))
}

fn execute(folder: &Path, command: &[&str]) -> Result<Output, String> {
    let Some((program, arguments)) = command.split_first() else { return Err("nothing".into()) };
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("HELENUS", env!("CARGO_BIN_EXE_helenus"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .map_err(|error| format!("{program}: {error}"))
}

fn text(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("helenus"))
}
