//! The history of the prompt, kept in a file in the user's state folder.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The number of entries that are loaded; older ones are dropped.
const ENTRIES_MAX: usize = 1_000;

/// Whether a text may be stored: nothing that may contain a password.
pub(crate) fn can_be_kept(text: &str) -> bool {
    let text = text.to_lowercase();
    !text.contains("password") && !text.trim_start().starts_with("login")
}

/// The entries of earlier sessions.
pub(crate) fn load() -> Vec<String> {
    let Some(path) = history_path() else { return Vec::new() };
    let text = fs::read_to_string(&path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let newest = lines.get(lines.len().saturating_sub(ENTRIES_MAX)..).unwrap_or_default();
    if lines.len() > 2 * ENTRIES_MAX {
        let text: String = newest.iter().flat_map(|line| [line, "\n"]).collect();
        // If the file cannot be shortened, it stays long.
        let _ = open(&path, true).and_then(|mut file| file.write_all(text.as_bytes()));
    }
    newest.iter().map(|line| unfold_lines(line)).collect()
}

/// Stores an entry, if there is a state folder.
pub(crate) fn append(entry: &str) {
    let Some(path) = history_path() else { return };
    let line = fold_lines(entry) + "\n";
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    // The shell also works without a history: ignore errors.
    let _ = folder
        .and_then(|()| open(&path, false))
        .and_then(|mut file| file.write_all(line.as_bytes()));
}

/// Opens the file, readable only by the user, to replace its content or to append.
fn open(path: &Path, truncate: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(truncate).truncate(truncate).append(!truncate);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn history_path() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let state = match folder("XDG_STATE_HOME") {
        Some(state) => PathBuf::from(state),
        None => PathBuf::from(folder("HOME")?).join(".local/state"),
    };
    Some(state.join("helenus/shell_history"))
}

/// Escapes newlines, so that each entry is one line of the file.
fn fold_lines(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unfold_lines(line: &str) -> String {
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
    fn entries_with_newlines_survive_a_round_trip() {
        let entry = "SELECT '\\n'\nFROM t;";
        assert_eq!(unfold_lines(&fold_lines(entry)), entry);
        assert!(!fold_lines(entry).contains('\n'));
    }

    #[test]
    fn passwords_are_not_stored() {
        assert!(can_be_kept("SELECT 1"));
        assert!(!can_be_kept("CREATE ROLE x WITH PASSWORD = 'secret'"));
        assert!(!can_be_kept(" login bob 'secret'"));
    }
}
