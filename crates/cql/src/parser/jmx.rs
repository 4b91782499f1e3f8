//! Names of managed beans, as Java's `ObjectName` takes them: `domain:key=value,...`.

use std::collections::HashSet;

/// Whether a name is a pattern; `None` when it is no name at all.
pub(super) fn parse_object_name(name: &str) -> Option<bool> {
    if name.is_empty() {
        // Java takes the empty name for `*:*`.
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

/// The properties between the commas that stand outside quotes.
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

/// Whether a value is a pattern; `None` when it is no value.
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
