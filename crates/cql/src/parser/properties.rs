//! The properties of WITH clauses.

use std::collections::HashSet;

use super::cursor::{ParseResult, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::lexer::is_template;
use crate::printer;
use crate::property::{Property, PropertyValue};
use crate::syntax_error::{Expectation, SyntaxReason};
use crate::term::{Constant, ConstantKind, Marker, Term, TermKind};

impl Parser<'_> {
    /// `name = value {AND name = value}`
    pub(super) fn properties(&mut self) -> ParseResult<Vec<Property>> {
        let mut properties = vec![self.property()?];
        while self.eat_keyword(Keyword::And) {
            properties.push(self.property()?);
        }
        self.check_properties(&properties);
        Ok(properties)
    }

    /// Refuses a property that is given twice.
    pub(super) fn check_properties(&mut self, properties: &[Property]) {
        let mut known = HashSet::with_capacity(properties.len());
        for property in properties {
            if !known.insert(&property.name.text) {
                let name = property.name.text.clone();
                self.refuse(SyntaxReason::RepeatedProperty { name }, property.span);
            }
        }
    }

    /// `name = value`
    pub(super) fn property(&mut self) -> ParseResult<Property> {
        let start = self.next_span();
        let name = self.name(Expectation::OptionName)?;
        self.expect(TokenKind::Equal)?;
        let value = self.property_value()?;
        Ok(Property { name, value, span: self.span_since(start) })
    }

    fn property_value(&mut self) -> ParseResult<PropertyValue> {
        let start = self.next_span();
        if let Some(constant) = self.constant() {
            if self.is_placeholder(&constant) {
                let text = self.span_since(start).text(self.source);
                return Ok(PropertyValue::Placeholder(text.into()));
            }
            return Ok(PropertyValue::Constant(constant));
        }
        match self.kind() {
            TokenKind::OpenBrace => {
                let mut entries = self.map_literal()?;
                self.restore_placeholders(&mut entries);
                self.check_property_map(&entries);
                Ok(PropertyValue::Map(entries))
            }
            TokenKind::Keyword(keyword) if keyword.is_name() => {
                let token = self.bump();
                Ok(PropertyValue::Keyword(self.text(token).to_ascii_lowercase().into()))
            }
            TokenKind::Placeholder => {
                let token = self.bump();
                Ok(PropertyValue::Placeholder(self.text(token).into()))
            }
            _ => self.fail(Expectation::PropertyValue),
        }
    }

    /// Whether a string is a placeholder, including its quotes (lenient mode).
    pub(super) fn is_placeholder(&self, constant: &Constant) -> bool {
        self.options.templates
            && constant.kind == ConstantKind::String
            && is_template(&constant.text)
    }

    /// Placeholders in a map of options are not markers: a statement with options has none. A
    /// quoted key is a text.
    fn restore_placeholders(&mut self, entries: &mut [(Term, Term)]) {
        let open = |term: &mut Term| {
            if let TermKind::Marker(Marker { placeholder: Some(text), .. }) = &mut term.kind {
                term.kind = TermKind::Placeholder(std::mem::take(text));
            }
        };
        for (key, value) in entries {
            open(value);
            open(key);
            if let TermKind::Placeholder(text) = &key.kind
                && let Some(name) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
            {
                key.kind =
                    TermKind::Constant(Constant { kind: ConstantKind::String, text: name.into() });
            }
        }
        self.markers.retain(|marker| marker.placeholder.is_none());
    }

    /// Checks that a map of properties contains only literals, and each key once. Like the server,
    /// it stops at the first error.
    pub(super) fn check_property_map(&mut self, entries: &[(Term, Term)]) {
        let mut names = HashSet::with_capacity(entries.len());
        for (key, value) in entries {
            let Some(name) = literal(key) else {
                let (name, is_marker) = (printer::server_term(key), is_marker(key));
                self.refuse(SyntaxReason::InvalidPropertyName { name, is_marker }, key.span);
                return;
            };
            if literal(value).is_none() {
                let reason = SyntaxReason::InvalidPropertyValue {
                    value: printer::server_term(value),
                    name: printer::server_term(key),
                    is_marker: is_marker(value),
                };
                self.refuse(reason, value.span);
                return;
            }
            if !names.insert(name) {
                let name = name.into();
                self.refuse(SyntaxReason::RepeatedMapProperty { name }, key.span);
            }
        }
    }
}

fn literal(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(Constant { text, .. }) | TermKind::Placeholder(text) => Some(text),
        _ => None,
    }
}

fn is_marker(term: &Term) -> bool {
    matches!(term.kind, TermKind::Marker(_))
}
