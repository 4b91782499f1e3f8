//! Terms and properties.

use super::{Print, Printer};
use crate::property::{Property, PropertyValue};
use crate::term::{ArithmeticOperator, Constant, ConstantKind, Marker, Term, TermKind};

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

    pub(super) fn operator(&mut self, operator: ArithmeticOperator) {
        self.text(" ");
        self.out.push(operator.sign());
        self.text(" ");
    }

    /// `{'a': 'b'}`
    pub(super) fn map(&mut self, entries: &[(Term, Term)]) {
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
            TermKind::List(terms) => {
                printer.text("[");
                printer.list(terms);
                printer.text("]");
            }
            TermKind::Set(terms) => printer.braces(|printer| printer.list(terms)),
            TermKind::Map(entries) => printer.map(entries),
            TermKind::UserType(fields) => printer.braces(|printer| {
                printer.join(fields, ", ", |printer, (name, value)| {
                    printer.node(name);
                    printer.text(": ");
                    printer.node(value);
                });
            }),
            TermKind::Tuple(terms) => {
                printer.text("(");
                printer.list(terms);
                printer.text(")");
            }
            TermKind::Call(function, arguments) => {
                printer.function(function);
                printer.text("(");
                printer.list(arguments);
                printer.text(")");
            }
            TermKind::TypeHint(hint) => {
                printer.text("(");
                printer.node(&hint.0);
                printer.text(") ");
                printer.node(&hint.1);
            }
            TermKind::Cast(inner, native) => {
                printer.text("CAST(");
                printer.node(&**inner);
                printer.text(" AS ");
                printer.text(native.text());
                printer.text(")");
            }
            TermKind::Negate(inner) => printer.negation(|printer| printer.node(&**inner)),
            TermKind::Arithmetic(operator, operands) => {
                printer.node(&operands.0);
                printer.operator(*operator);
                printer.node(&operands.1);
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
