//! The published jars of Cassandra, downloaded once by Maven into the cache folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::VERSION;
use crate::print_uncaptured;

/// The Maven goal that copies an artifact with everything it needs at run time.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// The folder of the jars: `HELENUS_CASSANDRA_JARS`, else the cache, filled if need be.
pub(super) fn find() -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("HELENUS_CASSANDRA_JARS") {
        return Ok(PathBuf::from(folder));
    }
    let cache = cache_folder().ok_or("no home folder to keep the jars in")?;
    let jars = cache.join(format!("cassandra-{VERSION}"));
    if jars.is_dir() {
        return Ok(jars);
    }
    fs::create_dir_all(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
    // Held to the end: a second test run waits here and then finds the folder.
    let lock = lock(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
    if !jars.is_dir() {
        download(&cache, &jars)?;
    }
    drop(lock);
    Ok(jars)
}

/// The major release of the jars in a folder; that of the judge if they do not tell.
pub(super) fn major_release(jars: &Path) -> u32 {
    let names = fs::read_dir(jars).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let releases = names.filter_map(|name| {
        let name = name.to_string_lossy();
        name.strip_prefix("cassandra-all-")?.split('.').next()?.parse().ok()
    });
    releases.max().unwrap_or(5)
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("helenus"))
}

fn lock(cache: &Path) -> io::Result<File> {
    let file = File::create(cache.join("download.lock"))?;
    file.lock()?;
    Ok(file)
}

/// Fills a folder beside the wanted one and renames it, so that a download cut short never counts.
fn download(cache: &Path, jars: &Path) -> Result<(), String> {
    print_uncaptured(&format!("downloading Cassandra {VERSION} (67 MB) to {}", jars.display()));
    let partial = cache.join(format!("cassandra-{VERSION}.partial"));
    let filled = fill(&partial);
    match filled {
        Ok(output) if output.status.success() => {
            fs::rename(&partial, jars).map_err(|e| format!("{}: {e}", jars.display()))
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            Err(format!(
                "the download by Maven failed: {}",
                said.lines().next().unwrap_or("no word why")
            ))
        }
        Err(e) => Err(format!("no Maven (mvn: {e})")),
    }
}

fn fill(partial: &Path) -> io::Result<std::process::Output> {
    if partial.exists() {
        fs::remove_dir_all(partial)?;
    }
    fs::create_dir_all(partial)?;
    fs::write(partial.join("pom.xml"), include_str!("conf/pom.xml").replace("{version}", VERSION))?;
    Command::new("mvn")
        .args(["-q", "-B", COPY, "-DoutputDirectory=.", "-DincludeScope=runtime"])
        .current_dir(partial)
        .output()
}
