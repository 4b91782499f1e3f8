//! The statements of every example are such that the server accepts them.

use std::path::{Path, PathBuf};

use crate::Options;

/// The model files below a directory.
pub(super) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|ending| ending == "sql") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn every_statement_is_accepted() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut writes = 0;
    for path in files(&examples) {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(file) = model::sql::read(&text, "app") else { continue };
        for rules_only in [false, true] {
            let options = Options { rules_only, ..Options::default() };
            let design = crate::design(&file.concept, &file.workload, &options);
            super::check(&file.concept, &design);
            writes += design.writes.len();
        }
    }
    assert!(writes > 100, "{writes}");
}
