//! A Python with the driver and cqlsh, made once in the cache folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::print_uncaptured;

/// What is installed; the folder is named for it.
const PACKAGES: [(&str, &str); 3] =
    [("cassandra-driver", "3.30.1"), ("cqlsh", "6.2.2"), ("lz4", "4.4.5")];

/// The folder of the environment's programs, or nothing where there can be none.
pub(super) fn programs() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = PROGRAMS.get_or_init(|| match find() {
        Ok(folder) => Some(folder),
        Err(reason) => {
            print_uncaptured(&format!("SKIPPED: tests with the Python driver and cqlsh: {reason}"));
            None
        }
    });
    found.as_deref()
}

/// Held while a Python client runs: a dozen of them at once would wait for one another longer than they are willing to.
pub(super) fn lock_python() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn find() -> Result<PathBuf, String> {
    let cache = cache_folder().ok_or("no home folder to install them in")?;
    let versions = PACKAGES.map(|(_, version)| version).join("-");
    let folder = cache.join(format!("python-{versions}"));
    let programs = folder.join("bin");
    if programs.is_dir() {
        return Ok(programs);
    }
    fs::create_dir_all(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
    // Held to the end: a second test run waits here and then finds the folder.
    let lock = File::create(cache.join("python.lock")).map_err(|e| e.to_string())?;
    lock.lock().map_err(|e| e.to_string())?;
    if !programs.is_dir() {
        install(&folder)?;
    }
    Ok(programs)
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("helenus"))
}

/// Programs of an environment name the folder it was made in, so it is made in place; what is half made is removed.
fn install(folder: &Path) -> Result<(), String> {
    print_uncaptured(&format!("installing the Python driver and cqlsh in {}", folder.display()));
    let installed = run(Command::new("python3").args(["-m", "venv"]).arg(folder)).and_then(|()| {
        let packages = PACKAGES.map(|(name, version)| format!("{name}=={version}"));
        let mut pip = Command::new(folder.join("bin/python"));
        run(pip.args(["-m", "pip", "install", "--quiet"]).args(packages))
    });
    if installed.is_err() {
        let _ = fs::remove_dir_all(folder);
    }
    installed
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program}: {}", said.lines().last().unwrap_or("failed without a word")))
}
