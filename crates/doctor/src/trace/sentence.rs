//! Sentences of a server matched against the templates that it prints them from.

/// The texts that stand in the places of `{}`, if the sentence was printed from the template. A
/// place ends where the text after it first occurs; the last one ends with the sentence.
pub(super) fn fields<'a, const N: usize>(
    template: &str,
    sentence: &'a str,
) -> Option<[&'a str; N]> {
    let mut literals = template.split("{}");
    let mut rest = sentence.strip_prefix(literals.next()?)?;
    let mut found = [""; N];
    for (place, literal) in found.iter_mut().zip(literals) {
        let end = if literal.is_empty() { rest.len() } else { rest.find(literal)? };
        *place = rest.get(..end)?;
        rest = rest.get(end + literal.len()..)?;
    }
    rest.is_empty().then_some(found)
}

/// Whether a sentence is this one, without places.
pub(super) fn is_sentence(template: &str, sentence: &str) -> bool {
    fields::<0>(template, sentence).is_some()
}

/// The number at the start of a text: `12`, `12 rows`.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    text.get(..digits)?.parse().ok()
}

/// A node as the server prints it: `/127.0.0.1:7000`, `Full(/127.0.0.1:7000,(1,2])`, `host/127.0.0.1`.
pub(super) fn node(text: &str) -> String {
    let text =
        text.strip_prefix("Full(").or_else(|| text.strip_prefix("Transient(")).unwrap_or(text);
    let text = text.split_once(",(").map_or(text, |(endpoint, _)| endpoint);
    let address = text.rsplit_once('/').map_or(text, |(_, address)| address);
    strip_port(address.trim()).to_owned()
}

/// An address without its port. An IPv6 address has a port only behind brackets.
fn strip_port(address: &str) -> &str {
    if let Some((inside, _)) = address.strip_prefix('[').and_then(|text| text.split_once(']')) {
        return inside;
    }
    match address.split_once(':') {
        Some((host, port)) if !port.contains(':') => host,
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found() {
        let template = "Read {} live rows and {} tombstone cells{}";
        let read = fields(template, "Read 3 live rows and 20 tombstone cells");
        assert_eq!(read, Some(["3", "20", ""]));
        let warned = fields::<3>(template, "Read 3 live rows and 20 tombstone cells (see x)");
        assert_eq!(warned, Some(["3", "20", " (see x)"]));
        assert_eq!(fields::<3>(template, "Read 3 live rows"), None);
        assert!(is_sentence("Preparing statement", "Preparing statement"));
        assert!(!is_sentence("Preparing statement", "Preparing statement 2"));
    }

    #[test]
    fn nodes_lose_names_and_ports() {
        assert_eq!(node("/127.0.0.1:7000"), "127.0.0.1");
        assert_eq!(node("Full(/10.0.0.2:7000,(1,5])"), "10.0.0.2");
        assert_eq!(node("db1.example/10.0.0.2"), "10.0.0.2");
        assert_eq!(node("/[2001:db8::1]:7000"), "2001:db8::1");
        assert_eq!(node("/2001:db8::1"), "2001:db8::1");
    }
}
