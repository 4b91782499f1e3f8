//! Statements of pages in the words of the node: its keyspaces, its one data centre.

use cql::{Statement, StatementKind};

/// The keyspace that pages speak of without creating it.
pub(super) const PAGE_KEYSPACE: &str = "ks";

/// A text with the name that its keyspace has on the node.
pub(super) fn rename(text: &str, keyspace: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(PAGE_KEYSPACE) {
        let (head, tail) = rest.split_at(at);
        let (word, behind) = tail.split_at(PAGE_KEYSPACE.len());
        out.push_str(head);
        let is_part = out.ends_with(is_of_word) || behind.starts_with(is_of_word);
        out.push_str(if is_part { word } else { keyspace });
        rest = behind;
    }
    out + rest
}

/// A statement about a keyspace with the one data centre that the node has in place of its first, and without its others.
pub(super) fn replace_datacenter(statement: &Statement, text: &str) -> String {
    let is_of_keyspace = matches!(
        statement.kind,
        StatementKind::CreateKeyspace(_) | StatementKind::AlterKeyspace(_)
    ) && text.contains("'NetworkTopologyStrategy'");
    let braces = text.find('{').zip(text.find('}'));
    let Some((open, close)) = braces.filter(|(open, close)| is_of_keyspace && open < close) else {
        return text.to_owned();
    };
    let is_of_datacenter = |pair: &str| {
        let others = ["'class'", "'replication_factor'", "'datacenter1'"];
        !others.iter().any(|key| pair.trim_start().starts_with(key))
    };
    let mut pairs: Vec<String> = Vec::new();
    let mut is_named = text.contains("'datacenter1'");
    for pair in text[open + 1..close].split(',') {
        match pair.split_once(':') {
            Some((_, copies)) if is_of_datacenter(pair) => {
                if !is_named {
                    pairs.push(format!(" 'datacenter1':{copies}"));
                }
                is_named = true;
            }
            _ => pairs.push(pair.to_owned()),
        }
    }
    format!("{}{}{}", &text[..=open], pairs.join(","), &text[close..])
}

#[test]
fn names_are_changed_as_words() {
    assert_eq!(rename("ks.t, tasks, \"ks\"", "ks_9"), "ks_9.t, tasks, \"ks_9\"");
}
