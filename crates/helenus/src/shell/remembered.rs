//! What was entered at the prompt, kept in a file of the user for the next time.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

/// Older entries are forgotten.
const ENTRIES_MAX: usize = 1_000;

/// Whether a text may be kept: nothing with a password in it may.
pub(super) fn may_be_kept(text: &str) -> bool {
    let text = text.to_lowercase();
    !text.contains("password") && !text.trim_start().starts_with("login")
}

/// The entries of earlier times.
pub(super) fn load() -> Vec<String> {
    let text = path().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    text.lines().map(unfolded).collect()
}

/// Keeps entries; without a place to keep them they are forgotten.
pub(super) fn save(entries: &[String]) {
    let Some(path) = path() else { return };
    let Some(folder) = path.parent() else { return };
    let kept = entries.iter().skip(entries.len().saturating_sub(ENTRIES_MAX));
    let text: String = kept.map(|entry| folded(entry) + "\n").collect();
    // A shell whose history cannot be kept works as well as another.
    let _ = fs::create_dir_all(folder).and_then(|()| write_private(&path, &text));
}

/// Only the user may read it.
fn write_private(path: &PathBuf, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

fn path() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let state = match folder("XDG_STATE_HOME") {
        Some(state) => PathBuf::from(state),
        None => PathBuf::from(folder("HOME")?).join(".local/state"),
    };
    Some(state.join("helenus/shell_history"))
}

/// An entry of several lines, in one.
fn folded(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unfolded(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_several_lines_come_back() {
        let entry = "SELECT '\\n'\nFROM t;";
        assert_eq!(unfolded(&folded(entry)), entry);
        assert!(!folded(entry).contains('\n'));
    }

    #[test]
    fn passwords_are_not_kept() {
        assert!(may_be_kept("SELECT 1"));
        assert!(!may_be_kept("CREATE ROLE x WITH PASSWORD = 'secret'"));
        assert!(!may_be_kept(" login bob 'secret'"));
    }
}
