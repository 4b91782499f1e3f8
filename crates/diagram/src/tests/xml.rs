//! A small check that a document is well-formed XML.

/// What is wrong with a document; nothing when it is well-formed.
pub(super) fn find_defect(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    let mut roots = 0;
    while let Some(start) = rest.find('<') {
        if let Some(wrong) = wrong_text(&rest[..start]) {
            return Some(wrong);
        }
        let inside = &rest[start + 1..];
        let Some(end) = inside.find('>') else { return Some("a tag does not end".to_owned()) };
        let tag = &inside[..end];
        rest = &inside[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Some(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let (body, is_empty) = tag.strip_suffix('/').map_or((tag, false), |body| (body, true));
        let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Some(format!("<{tag}> has no proper name"));
        }
        if let Some(wrong) = wrong_attributes(attributes) {
            return Some(wrong);
        }
        roots += usize::from(open.is_empty());
        if !is_empty {
            open.push(name);
        }
    }
    match (open.last(), roots, rest.trim()) {
        (Some(name), ..) => Some(format!("<{name}> is not closed")),
        (None, 1, "") => None,
        _ => Some("there is not exactly one root".to_owned()),
    }
}

fn wrong_text(text: &str) -> Option<String> {
    let is_control = |c: char| c.is_control() && c != '\n';
    if text.contains('>') || text.contains(is_control) {
        return Some(format!("a sign that must be escaped in {text}"));
    }
    let known = ["amp;", "lt;", "gt;", "quot;"];
    let mut references = text.split('&').skip(1);
    let wrong = references.find(|after| !known.iter().any(|name| after.starts_with(name)));
    wrong.map(|after| format!("&{after} is no reference"))
}

fn wrong_attributes(text: &str) -> Option<String> {
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((name, after)) = rest.split_once("=\"") else {
            return Some(format!("an attribute without a value: {rest}"));
        };
        let Some((value, after)) = after.split_once('"') else {
            return Some(format!("a value that does not end: {rest}"));
        };
        if seen.contains(&name) || name.is_empty() || name.contains(' ') {
            return Some(format!("the attribute {name} is not proper"));
        }
        seen.push(name);
        if let Some(wrong) = wrong_text(value) {
            return Some(wrong);
        }
        rest = after.trim_start();
    }
    None
}

#[test]
fn mistakes_are_noticed() {
    assert_eq!(find_defect("<a b=\"1\"><c/>x &amp; y</a>"), None);
    for wrong in [
        "<a>",
        "<a></b>",
        "<a b=1/>",
        "<a>&</a>",
        "<a>x > y</a>",
        "<a/><b/>",
        "<a b=\"1\" b=\"2\"/>",
    ] {
        assert!(find_defect(wrong).is_some(), "{wrong}");
    }
}
