//! Terms as the server prints them in messages.

use std::fmt::Write;

use super::identifier;
use crate::term::{Constant, ConstantKind, Term, TermKind};

/// A term as the server prints it in messages.
pub(crate) fn server_term(term: &Term) -> String {
    let mut text = String::new();
    write_server_term(&mut text, term);
    text
}

fn write_server_term(out: &mut String, term: &Term) {
    let list = |out: &mut String, open: &str, terms: &[Term], close: &str| {
        out.push_str(open);
        for (i, term) in terms.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            write_server_term(out, term);
        }
        out.push_str(close);
    };
    match &term.kind {
        TermKind::Constant(Constant { kind: ConstantKind::String, text }) => {
            let _ = write!(out, "'{text}'");
        }
        TermKind::Constant(Constant { text, .. }) | TermKind::Placeholder(text) => {
            out.push_str(text);
        }
        TermKind::Null => out.push_str("NULL"),
        TermKind::Marker(_) => out.push('?'),
        TermKind::List(terms) => list(out, "[", terms, "]"),
        TermKind::Set(terms) => list(out, "{", terms, "}"),
        TermKind::Tuple(terms) => list(out, "(", terms, ")"),
        TermKind::Call(function, terms) => {
            if let Some(keyspace) = &function.keyspace {
                let _ = write!(out, "{}.", identifier(&keyspace.text));
            }
            out.push_str(&identifier(&function.name.text));
            list(out, "(", terms, ")");
        }
        TermKind::Arithmetic(operator, operands) => {
            use crate::term::ArithmeticOperator::{Add, Divide, Modulo, Multiply, Subtract};
            let function = match operator {
                Add => "_add",
                Subtract => "_substract",
                Multiply => "_multiply",
                Divide => "_divide",
                Modulo => "_modulo",
            };
            let _ = write!(out, "system.\"{function}\"(");
            write_server_term(out, &operands.0);
            out.push_str(", ");
            write_server_term(out, &operands.1);
            out.push(')');
        }
        TermKind::Negate(inner) => {
            out.push_str("system.\"_negate\"(");
            write_server_term(out, inner);
            out.push(')');
        }
        TermKind::Map(entries) => {
            out.push('{');
            for (i, (key, value)) in entries.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                write_server_term(out, key);
                out.push_str(": ");
                write_server_term(out, value);
            }
            out.push('}');
        }
        _ => {}
    }
}
