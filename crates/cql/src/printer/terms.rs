//! Terms and properties.

use super::{Print, Printer};
use crate::property::{Property, PropertyValue};
use crate::term::{ArithmeticOperator, Constant, ConstantKind, Marker, Term, TermKind};
use crate::type_name::{NativeName, TypeName};

impl Printer {
    /// `{ items }`. A brace followed by a digit or another brace could be a placeholder: a space
    /// separates them.
    pub(super) fn braces(&mut self, items: impl FnOnce(&mut Self)) {
        self.text("{");
        let start = self.out.len();
        items(self);
        if self.options.templates
            && self.out.get(start..).is_some_and(|text| text.starts_with(is_template_start))
        {
            self.out.insert(start, ' ');
        }
        self.text("}");
    }

    /// `-x`, with a space if the sign and what follows would become one token.
    pub(super) fn negation(&mut self, inner: impl FnOnce(&mut Self)) {
        self.text("-");
        let start = self.out.len();
        inner(self);
        let safe = |character: char| match character {
            'i' | 'n' => false,
            'a'..='z' => true,
            _ => matches!(character, '(' | '[' | '{' | '"' | '\'' | '?' | ':'),
        };
        if !self.out.get(start..).is_some_and(|text| text.starts_with(safe)) {
            self.out.insert(start, ' ');
        }
    }

    /// `a + b`
    pub(super) fn operation<N: Print>(&mut self, operator: ArithmeticOperator, a: &N, b: &N) {
        self.node(a);
        self.text(" ");
        self.out.push(operator.sign());
        self.text(" ");
        self.node(b);
    }

    /// `CAST(a AS text)`
    pub(super) fn cast(&mut self, value: &impl Print, native: NativeName) {
        self.text("CAST(");
        self.node(value);
        self.text(" AS ");
        self.text(native.text());
        self.text(")");
    }

    /// `(text) a`
    pub(super) fn type_hint(&mut self, type_name: &TypeName, value: &impl Print) {
        self.text("(");
        self.node(type_name);
        self.text(") ");
        self.node(value);
    }

    /// `[a, b]`
    pub(super) fn enclose_list(&mut self, open: &str, nodes: &[impl Print], close: &str) {
        self.text(open);
        self.list(nodes);
        self.text(close);
    }

    /// `{'a': 'b'}`
    pub(super) fn map(&mut self, entries: &[(impl Print, impl Print)]) {
        self.braces(|printer| {
            printer.join(entries, ", ", |printer, (key, value)| {
                printer.node(key);
                printer.text(": ");
                printer.node(value);
            });
        });
    }
}

fn is_template_start(character: char) -> bool {
    character == '{' || character.is_ascii_digit()
}

impl Print for Constant {
    fn print(&self, printer: &mut Printer) {
        match self.kind {
            ConstantKind::String => printer.string(&self.text),
            _ => printer.text(&self.text),
        }
    }
}

impl Print for Marker {
    fn print(&self, printer: &mut Printer) {
        match (&self.placeholder, &self.name) {
            (Some(text), _) => printer.text(text),
            (None, None) => printer.text("?"),
            (None, Some(name)) => {
                printer.text(":");
                printer.node(name);
            }
        }
    }
}

impl Print for Term {
    fn print(&self, printer: &mut Printer) {
        match &self.kind {
            TermKind::Constant(constant) => constant.print(printer),
            TermKind::Null => printer.text("NULL"),
            TermKind::Marker(marker) => marker.print(printer),
            TermKind::List(terms) => printer.enclose_list("[", terms, "]"),
            TermKind::Set(terms) => printer.braces(|printer| printer.list(terms)),
            TermKind::Map(entries) => printer.map(entries),
            TermKind::UserType(fields) => printer.map(fields),
            TermKind::Tuple(terms) => printer.enclose_list("(", terms, ")"),
            TermKind::Call(function, arguments) => {
                printer.function(function);
                printer.enclose_list("(", arguments, ")");
            }
            TermKind::TypeHint(hint) => printer.type_hint(&hint.0, &hint.1),
            TermKind::Cast(inner, native) => printer.cast(&**inner, *native),
            TermKind::Negate(inner) => printer.negation(|printer| printer.node(&**inner)),
            TermKind::Arithmetic(operator, operands) => {
                printer.operation(*operator, &operands.0, &operands.1);
            }
            TermKind::Placeholder(text) => printer.text(text),
        }
    }
}

impl Print for Property {
    fn print(&self, printer: &mut Printer) {
        printer.node(&self.name);
        printer.text(" = ");
        match &self.value {
            PropertyValue::Constant(constant) => constant.print(printer),
            PropertyValue::Keyword(text) | PropertyValue::Placeholder(text) => printer.text(text),
            PropertyValue::Map(entries) => printer.map(entries),
        }
    }
}
