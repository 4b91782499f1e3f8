//! Lines between the outputs of several nodes that name the node.

use super::phrase::has_words;

/// The node that a heading names: a line of few words with an address among them, as people,
/// `parallel-ssh` and `ansible` write it (`=== 10.0.0.1 ===`, `10.0.0.1 | CHANGED | rc=0 >>`), or
/// the path that `head` and `tail` print (`==> node1/tablestats.txt <==`).
pub(super) fn find_node(line: &str) -> Option<&str> {
    if line.len() > 200 {
        return None;
    }
    if let Some(path) = line.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
        return path.trim_start_matches("./").split_once('/').map(|(folder, _)| folder);
    }
    let mut words = line.split([' ', '\t', '=', '#', '*', '>', '[', ']', '|', ',']);
    let words: Vec<&str> = words.by_ref().filter(|word| !word.is_empty()).take(8).collect();
    if words.len() > 7 {
        return None;
    }
    let names_node = |word: &&str| {
        ["node", "host", "server"]
            .iter()
            .any(|name| word.trim_end_matches(':').eq_ignore_ascii_case(name))
    };
    let is_heading = words.len() == 1
        || line.starts_with(['=', '#', '*', '>', '[', '-'])
        || line.ends_with(">>")
        || words.first().is_some_and(names_node);
    let addresses: Vec<&str> = words.iter().filter_map(|word| find_address(word)).collect();
    match *addresses {
        [address] if is_heading => Some(address),
        _ => None,
    }
}

/// Whether a line stands between outputs: a prompt with a command, or a heading.
pub(super) fn is_separator(line: &str) -> bool {
    let marks = ["$ ", "# ", "> ", "+ ", "% ", "===", "###", "***", "==> "];
    marks.iter().any(|mark| line.starts_with(mark))
        || has_words(line, "nodetool ") && line.len() < 200
}

/// The address in a word, without its port, slash or punctuation.
fn find_address(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['/', '(', '-']).trim_end_matches([':', ')', ';', '-', '.']);
    if word.parse::<std::net::IpAddr>().is_ok() {
        return Some(word);
    }
    let (host, port) = word.rsplit_once(':')?;
    let is_address = host.parse::<std::net::Ipv4Addr>().is_ok() && port.parse::<u16>().is_ok();
    is_address.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::find_node;

    #[test]
    fn nodes_of_headings() {
        assert_eq!(find_node("=== 10.0.0.1 ==="), Some("10.0.0.1"));
        assert_eq!(find_node("Node: 10.0.0.1:7199"), Some("10.0.0.1"));
        assert_eq!(find_node("[1] 11:02:03 [SUCCESS] 10.0.0.7"), Some("10.0.0.7"));
        assert_eq!(find_node("10.0.0.1 | CHANGED | rc=0 >>"), Some("10.0.0.1"));
        assert_eq!(find_node("# fd00::12 nodetool info"), Some("fd00::12"));
        assert_eq!(find_node("==> ./node1/tpstats.txt <=="), Some("node1"));
        assert_eq!(find_node("127.0.0.1  rack1  Up  Normal  ?  100.00%"), None);
        assert_eq!(find_node("Table: events"), None);
        assert_eq!(find_node("10.0.0.1 10.0.0.2"), None);
        assert_eq!(find_node("version 1.2.3"), None);
        assert_eq!(find_node(""), None);
    }
}
