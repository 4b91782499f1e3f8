//! [`DocumentValue`]: a value of a document, whichever syntax it was written in.

use crate::source::quantity;
use crate::yaml::YamlEntry;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::source) enum DocumentValue {
    /// Nothing.
    Null,
    /// A number, a text or a boolean, as text.
    Scalar(String),
    /// Elements in order.
    List(Vec<DocumentValue>),
    /// Values with names, in order.
    Map(Vec<(String, DocumentValue)>),
}

impl DocumentValue {
    /// The value of a name.
    pub(in crate::source) fn find(&self, name: &str) -> Option<&Self> {
        self.entries().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The names with their values; none if it is no map.
    pub(in crate::source) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The elements; none if it is no list.
    pub(in crate::source) fn elements(&self) -> &[Self] {
        match self {
            Self::List(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a scalar.
    pub(in crate::source) fn text(&self) -> Option<&str> {
        match self {
            Self::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The number of a name.
    pub(in crate::source) fn number(&self, name: &str) -> Option<f64> {
        quantity::parse_number(self.find(name)?.text()?)
    }

    /// The count of a name.
    pub(in crate::source) fn count(&self, name: &str) -> Option<u64> {
        quantity::parse_count(self.find(name)?.text()?)
    }
}

/// The tree of the entries of a YAML document. The elements of a list of maps are told apart by
/// their first name, which occurs again.
pub(super) fn from_yaml(entries: &[YamlEntry]) -> DocumentValue {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut top = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        match entry.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(at),
            None => top.push(at),
        }
    }
    build(entries, &children, &top)
}

/// The map of some entries, or the list of maps if their first name occurs again.
fn build(entries: &[YamlEntry], children: &[Vec<usize>], positions: &[usize]) -> DocumentValue {
    let mut maps: Vec<Vec<(String, DocumentValue)>> = Vec::new();
    let first = positions.first().and_then(|at| entries.get(*at)).map(|entry| &entry.key);
    for at in positions {
        let (Some(entry), Some(own)) = (entries.get(*at), children.get(*at)) else { continue };
        let value =
            if own.is_empty() { from_scalar(&entry.value) } else { build(entries, children, own) };
        if maps.is_empty() || Some(&entry.key) == first {
            maps.push(Vec::new());
        }
        if let Some(map) = maps.last_mut() {
            map.push((entry.key.clone(), value));
        }
    }
    let mut maps: Vec<DocumentValue> = maps.into_iter().map(DocumentValue::Map).collect();
    match maps.len() {
        0 => DocumentValue::Null,
        1 => maps.remove(0),
        _ => DocumentValue::List(maps),
    }
}

/// The value of a scalar, or of a list in one line.
fn from_scalar(text: &str) -> DocumentValue {
    if text.is_empty() {
        return DocumentValue::Null;
    }
    if text == "{}" {
        return DocumentValue::Map(Vec::new());
    }
    let Some(inside) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return DocumentValue::Scalar(text.to_owned());
    };
    let elements = inside.split(',').map(str::trim).filter(|element| !element.is_empty());
    let scalar =
        |element: &str| DocumentValue::Scalar(element.trim_matches(['\'', '"']).to_owned());
    DocumentValue::List(elements.map(scalar).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_becomes_a_tree() {
        let text =
            "list:\n- a: 1\n  b: '2'\n- a: 3\n  b: x\nmap:\n  n: null\n  l: [1, 2]\n  e: {}\n";
        let tree = from_yaml(&crate::yaml::read(text).unwrap());
        let list = tree.find("list").unwrap().elements();
        assert_eq!(list.len(), 2);
        assert_eq!(list[1].count("a"), Some(3));
        let map = tree.find("map").unwrap();
        assert_eq!(map.find("n"), Some(&DocumentValue::Null));
        assert_eq!(map.find("l").unwrap().elements().len(), 2);
        assert_eq!(map.find("e").unwrap().entries().len(), 0);
        assert_eq!(from_yaml(&[]), DocumentValue::Null);
    }
}
