//! Names of managed beans, by the rules of Java's `ObjectName`: `domain:key=value,...`.

use std::collections::HashSet;

/// Parses the name of a managed bean: whether it is a pattern; `None` if it is invalid.
pub(super) fn parse_object_name(name: &str) -> Option<bool> {
    if name.is_empty() {
        // Java treats the empty name as `*:*`.
        return Some(true);
    }
    let (domain, properties) = name.split_once(':')?;
    if name.contains('\n') || properties.is_empty() {
        return None;
    }
    let mut keys = HashSet::new();
    let mut pattern = domain.contains(['*', '?']);
    let mut list_pattern = false;
    for property in split_properties(properties)? {
        if property == "*" {
            if list_pattern {
                return None;
            }
            (list_pattern, pattern) = (true, true);
            continue;
        }
        let (key, value) = property.split_once('=')?;
        if key.is_empty() || key.contains(['*', '?', ',', ':', '\n']) || !keys.insert(key) {
            return None;
        }
        pattern |= parse_value(value)?;
    }
    Some(pattern)
}

/// The properties, separated by commas outside of quotes.
fn split_properties(properties: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut start = 0;
    let (mut quoted, mut escaped) = (false, false);
    for (index, byte) in properties.bytes().enumerate() {
        match byte {
            b'\\' if quoted && !escaped => {
                escaped = true;
                continue;
            }
            b'"' if !escaped => quoted = !quoted,
            b',' if !quoted => {
                parts.push(properties.get(start..index)?);
                start = index + 1;
            }
            _ => {}
        }
        escaped = false;
    }
    parts.push(properties.get(start..)?);
    Some(parts)
}

/// Parses the value of a property: whether it is a pattern; `None` if it is invalid.
fn parse_value(value: &str) -> Option<bool> {
    let Some(content) = value.strip_prefix('"') else {
        let plain = !value.is_empty() && !value.contains(['=', ':', '"']);
        return plain.then(|| value.contains(['*', '?']));
    };
    let content = content.strip_suffix('"')?;
    let mut pattern = false;
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next()? {
                '\\' | '"' | '*' | '?' | 'n' => {}
                _ => return None,
            },
            '"' => return None,
            '*' | '?' => pattern = true,
            _ => {}
        }
    }
    Some(pattern)
}
