//! The Java that runs the node.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Command;

/// The releases of Java that run Cassandra 5.0; later ones lack the security manager it installs.
const RELEASES: RangeInclusive<u32> = 17..=23;
/// The release that runs Cassandra 4.
const RELEASES_BEFORE_5: RangeInclusive<u32> = 11..=11;

/// A Java runtime that fits.
pub(super) struct JavaRuntime {
    /// The program.
    pub(super) program: PathBuf,
    /// Its feature release, such as 17.
    pub(super) release: u32,
}

/// The Java of `JAVA_HOME`, else that of the path, for a major release of Cassandra.
pub(super) fn find(cassandra: u32) -> Result<JavaRuntime, String> {
    let releases = if cassandra < 5 { RELEASES_BEFORE_5 } else { RELEASES };
    let program = match std::env::var_os("JAVA_HOME") {
        Some(home) => PathBuf::from(home).join("bin/java"),
        None => PathBuf::from("java"),
    };
    let output = Command::new(&program)
        .arg("-version")
        .output()
        .map_err(|e| format!("no Java ({}: {e})", program.display()))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let release = release(&text)
        .ok_or_else(|| format!("no Java ({} -version says {text:?})", program.display()))?;
    if releases.contains(&release) {
        Ok(JavaRuntime { program, release })
    } else {
        Err(format!(
            "Java {} to {} is needed and {release} was found",
            releases.start(),
            releases.end()
        ))
    }
}

/// The release in a text such as `openjdk version "17.0.15" 2025-04-15`.
fn release(text: &str) -> Option<u32> {
    let (_, quoted) = text.split_once("version \"")?;
    let digits: String = quoted.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[test]
fn the_release_is_read_from_the_version_line() {
    assert_eq!(release("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime"), Some(17));
    assert_eq!(release("java version \"1.8.0_202\""), Some(1));
    assert_eq!(release("The operation couldn't be completed"), None);
}
