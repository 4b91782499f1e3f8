//! [`Properties`]: the `WITH name = value` clause, with values by type.

use cql::Span;
use cql::property::{Property, PropertyValue};
use cql::term::{Term, TermKind};

use crate::Result;
use crate::java::number;
use crate::java::order::{JavaOptionMap, sort_by_hash, string_hash};
use crate::refusal::{OptionReason, refuse};

/// The properties of one statement.
#[derive(Debug)]
pub(super) struct Properties<'a> {
    entries: Vec<PropertyEntry<'a>>,
    /// The position of the statement.
    pub(super) span: Span,
}

#[derive(Debug)]
struct PropertyEntry<'a> {
    name: &'a str,
    value: EntryValue<'a>,
    span: Span,
}

#[derive(Debug)]
enum EntryValue<'a> {
    Text(&'a str),
    Map(JavaOptionMap),
    /// A template placeholder: any value.
    Open,
}

impl<'a> Properties<'a> {
    /// The properties as written. The parser has refused duplicate names.
    pub(super) fn new(properties: &'a [Property], span: Span) -> Self {
        let read = |property: &'a Property| {
            let value = match &property.value {
                PropertyValue::Constant(constant) => EntryValue::Text(&constant.text),
                PropertyValue::Keyword(word) => EntryValue::Text(word),
                PropertyValue::Map(map) => {
                    option_map(map).map_or(EntryValue::Open, EntryValue::Map)
                }
                PropertyValue::Placeholder(_) => EntryValue::Open,
            };
            PropertyEntry { name: &property.name.text, value, span: property.span }
        };
        Self { entries: properties.iter().map(read).collect(), span }
    }

    /// Refuses names that are not in the list.
    pub(super) fn refuse_unknown(&self, known: &[&str]) -> Result<()> {
        let unknown = sort_by_hash(&self.entries, |entry| string_hash(entry.name))
            .into_iter()
            .find(|entry| !known.contains(&entry.name));
        match unknown {
            Some(entry) => {
                refuse(OptionReason::Unknown { name: entry.name.to_string() }, entry.span)
            }
            None => Ok(()),
        }
    }

    /// Whether a property is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// Whether there are no properties.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The position of a property, or of the statement.
    pub(super) fn span_of(&self, name: &str) -> Span {
        self.entry(name).map_or(self.span, |entry| entry.span)
    }

    /// A property that is not a map.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>> {
        match self.entry(name) {
            Some(PropertyEntry { value: EntryValue::Text(text), .. }) => Ok(Some(text)),
            Some(PropertyEntry { value: EntryValue::Map(_), span, .. }) => {
                refuse(OptionReason::NoText { name: name.to_string() }, *span)
            }
            Some(PropertyEntry { value: EntryValue::Open, .. }) | None => Ok(None),
        }
    }

    /// A property that is a map.
    pub(super) fn map(&self, name: &str) -> Result<Option<&JavaOptionMap>> {
        match self.entry(name) {
            Some(PropertyEntry { value: EntryValue::Map(map), .. }) => Ok(Some(map)),
            Some(PropertyEntry { value: EntryValue::Text(_), span, .. }) => {
                refuse(OptionReason::NoMap { name: name.to_string() }, *span)
            }
            Some(PropertyEntry { value: EntryValue::Open, .. }) | None => Ok(None),
        }
    }

    /// A boolean.
    pub(super) fn boolean(&self, name: &str) -> Result<Option<bool>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match text.to_lowercase().as_str() {
            "1" | "true" | "yes" => Ok(Some(true)),
            "0" | "false" | "no" => Ok(Some(false)),
            _ => refuse(
                OptionReason::NoBoolean { text: text.to_string(), name: name.to_string() },
                self.span_of(name),
            ),
        }
    }

    /// An integer.
    pub(super) fn int(&self, name: &str) -> Result<Option<i32>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match number::parse_int(text) {
            Ok(value) => Ok(Some(value)),
            Err(_) => refuse(
                OptionReason::NoInteger { text: text.to_string(), name: name.to_string() },
                self.span_of(name),
            ),
        }
    }

    /// A number.
    pub(super) fn double(&self, name: &str) -> Result<Option<f64>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match number::parse_double(text) {
            Ok(value) => Ok(Some(value)),
            Err(_) => refuse(
                OptionReason::NoDouble { text: text.to_string(), name: name.to_string() },
                self.span_of(name),
            ),
        }
    }

    fn entry(&self, name: &str) -> Option<&PropertyEntry<'a>> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// The map of a literal; `None` if it has a template placeholder. The parser has refused values
/// that are not constant and duplicate names.
fn option_map(literal: &[(Term, Term)]) -> Option<JavaOptionMap> {
    let entries =
        literal.iter().map(|(name, value)| Some((constant(name)?.into(), constant(value)?.into())));
    entries.collect::<Option<Vec<_>>>().map(JavaOptionMap::new)
}

fn constant(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}
