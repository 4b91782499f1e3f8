//! docs/MODEL.md lists what the program reads: directives, types, refused SQL and mapping rules.

use std::collections::BTreeSet;
use std::fs;

use crate::examples::root;

/// The rows of the tables of a section, as cells.
fn rows(section: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/MODEL.md")).expect("docs/MODEL.md can be read");
    let start = page.find(&format!("\n## {section}\n")).expect(section) + 4;
    let end = page[start..].find("\n## ").map_or(page.len(), |end| start + end);
    let lines = page[start..end].lines().filter(|line| line.starts_with('|'));
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|it| it.trim().to_owned()).collect();
    lines.filter(|line| !line.starts_with("|---")).map(cells).collect()
}

/// The words in backticks of a text.
fn list_quoted_words(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_directive_is_described() {
    let described: BTreeSet<String> = rows("Directives")
        .iter()
        .filter_map(|row| row[0].strip_prefix("`@"))
        .map(|name| name.split([' ', '`']).next().unwrap_or_default().to_owned())
        .collect();
    let known: BTreeSet<String> = model::directive::NAMES.iter().map(|&it| it.to_owned()).collect();
    assert_eq!(described, known);
}

#[test]
fn every_type_is_described() {
    let described: BTreeSet<(String, String)> = rows("Tables")
        .iter()
        .flat_map(|row| {
            let cql = list_quoted_words(&row[1]).into_iter().next().unwrap_or_default();
            list_quoted_words(&row[0]).into_iter().map(move |sql| (sql, cql.clone()))
        })
        .collect();
    let missing: Vec<String> = model::sql::type_names()
        .map(|(sql, cql)| (sql, cql::types::Type::Native(cql)))
        .filter(|(sql, cql)| !described.contains(&((*sql).to_owned(), cql.to_string())))
        .map(|(sql, cql)| format!("{sql} -> {cql}"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_refusal_is_described() {
    let source = root().join("crates/model/src/sql/query/refusal.rs");
    let source = fs::read_to_string(&source).expect("the refusals can be read");
    let codes: BTreeSet<&str> =
        source.match_indices("\"MF3").filter_map(|(at, _)| source.get(at + 1..at + 6)).collect();
    let rows = rows("Refused SQL");
    let described: BTreeSet<&str> =
        rows.iter().map(|row| row[0].as_str()).filter(|code| code.starts_with("MF")).collect();
    assert!(codes.len() > 20, "{codes:?}");
    assert!(codes.is_subset(&described), "not described: {:?}", codes.difference(&described));
}

#[test]
fn every_mapping_rule_has_an_example() {
    let rows = rows("Mapping rules");
    let rules: Vec<&str> = rows.iter().skip(1).map(|row| row[0].as_str()).collect();
    assert_eq!(rules, ["MR1", "MR2", "MR3", "MR4", "MR5"]);
    assert!(rows.iter().all(|row| row.len() == 3 && row.iter().all(|cell| !cell.is_empty())));
}

#[test]
fn every_message_is_described() {
    let mut codes = BTreeSet::new();
    collect_codes(&root().join("crates/model/src"), &mut codes);
    assert!(codes.len() > 80, "{codes:?}");
    let rows: Vec<_> = rows("Refused SQL").into_iter().chain(rows("Messages")).collect();
    let described: BTreeSet<String> = rows.iter().map(|row| row[0].clone()).collect();
    assert_eq!(codes.difference(&described).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The codes in the sources under a folder, without those of tests.
fn collect_codes(folder: &std::path::Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("tests") {
            collect_codes(&path, codes);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("the source can be read");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let found = text.match_indices("\"MF").filter_map(|(at, _)| text.get(at + 1..at + 6));
            codes.extend(found.filter(|code| *code != "MF100").map(str::to_owned));
        }
    }
}
