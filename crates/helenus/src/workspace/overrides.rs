//! Levels of rules for some paths only: `[paths."test/**"]` of `helenus.toml`.

use std::path::{Path, PathBuf};

use check::{Finding, Level, Rule};

use super::inputs::{Input, Inputs};

/// Levels of rules by path pattern.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    /// The folder that patterns are relative to.
    pub(crate) folder: PathBuf,
    /// Patterns, each with levels of rules by code, name or category. Later ones win.
    pub(crate) levels: Vec<(String, Vec<(String, Level)>)>,
}

impl Overrides {
    /// Removes the findings of rules that are off for their file, and sets the severity of others.
    pub(crate) fn apply(&self, inputs: &Inputs, findings: &mut Vec<Finding>) {
        if self.levels.is_empty() {
            return;
        }
        let levels: Vec<Vec<&(String, Level)>> =
            inputs.all.iter().map(|input| self.levels_for(input)).collect();
        findings.retain_mut(|finding| {
            let here = levels.get(finding.place.text).map(Vec::as_slice).unwrap_or_default();
            match level(here, finding.rule) {
                Some(Level::Off) => return false,
                Some(Level::As(severity)) => finding.severity = severity,
                Some(Level::On) | None => {}
            }
            true
        });
    }

    /// The levels for a file.
    fn levels_for(&self, input: &Input) -> Vec<&(String, Level)> {
        let Some(path) = &input.path else { return Vec::new() };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let path = real(path);
        let path = path.strip_prefix(real(folder)).unwrap_or(&path).display().to_string();
        let matching = self.levels.iter().filter(|(pattern, _)| matches(pattern, &path));
        matching.flat_map(|(_, levels)| levels).collect()
    }
}

fn level(levels: &[&(String, Level)], rule: &Rule) -> Option<Level> {
    levels.iter().rev().find(|(name, _)| rule.is_named(name)).map(|(_, level)| *level)
}

/// Whether a path matches: `*` is any part of a name, `**` any number of folders; a folder matches
/// everything in it.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.trim_matches('/').split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    // reached[n]: whether the parts of the pattern so far match the first n parts of the path.
    let mut reached: Vec<bool> = (0..=path.len()).map(|parts| parts == 0).collect();
    for part in pattern {
        let before = reached;
        let many = part == "**";
        reached = vec![many && before.first().is_some_and(|first| *first)];
        for (at, name) in path.iter().enumerate() {
            let one = before.get(at).is_some_and(|reached| *reached) && matches_part(part, name);
            let more = many
                && (before.get(at + 1).is_some_and(|reached| *reached)
                    || reached.get(at).is_some_and(|reached| *reached));
            reached.push(one || more);
        }
    }
    reached.into_iter().any(|reached| reached)
}

/// Whether a name matches a part of a pattern.
fn matches_part(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, path) in [
            ("test/**", "test/a/b.cql"),
            ("test", "test/a/b.cql"),
            ("**/test_*.cql", "a/b/test_1.cql"),
            ("**/test_*.cql", "test_1.cql"),
            ("a/*/c.cql", "a/b/c.cql"),
            ("*.cql", "x.cql"),
            ("a*b*c.cql", "a1b2c.cql"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("test/**", "tests/a.cql"),
            ("*.cql", "a/x.cql"),
            ("a/*/c.cql", "a/c.cql"),
            ("a*a", "a"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }
}
