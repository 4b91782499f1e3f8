//! Terms as the server prints them in messages and in the names of result columns.

use cql::printer::identifier;
use cql::term::{ConstantKind, Term, TermKind};
use cql::{Name, QualifiedName};

use crate::bind::context::Context;
use crate::bind::function::operator_name;
use crate::bind::types;
use crate::java::order::{identifier_hash, sort_by_hash};

/// A term as written, before the server has resolved anything.
pub fn text(term: &Term) -> String {
    print(term, None)
}

/// A term in a message of the binder: type names that were resolved by then have their keyspace.
pub(in crate::bind) fn text_in(cx: &Context<'_>, term: &Term, keyspace: &str) -> String {
    print(term, Some((cx, keyspace)))
}

fn print(term: &Term, bound: Option<(&Context<'_>, &str)>) -> String {
    let inner = |term: &Term| print(term, bound);
    let each = |terms: &[Term]| terms.iter().map(inner).collect::<Vec<_>>().join(", ");
    match &term.kind {
        TermKind::Constant(constant) if constant.kind == ConstantKind::String => {
            format!("'{}'", constant.text)
        }
        TermKind::Constant(constant) => constant.text.to_string(),
        TermKind::Null => "NULL".to_owned(),
        TermKind::Marker(_) => "?".to_owned(),
        TermKind::List(elements) => format!("[{}]", each(elements)),
        TermKind::Set(elements) => format!("{{{}}}", each(elements)),
        TermKind::Map(entries) => {
            pairs(entries.iter().map(|(key, value)| (inner(key), inner(value))))
        }
        TermKind::UserType(fields) => {
            let fields = sort_fields(fields).into_iter();
            pairs(fields.map(|(name, value)| (name.text.to_string(), inner(value))))
        }
        TermKind::Tuple(elements) => format!("({})", each(elements)),
        TermKind::Call(name, arguments) => format!("{}({})", call_name(name), each(arguments)),
        TermKind::TypeHint(hint) => {
            let keyspace = bound.filter(|(cx, _)| cx.calls.is_resolved(hint.0.span));
            let keyspace = keyspace.map(|(_, keyspace)| keyspace);
            format!("({}){}", types::text(&hint.0, keyspace), inner(&hint.1))
        }
        TermKind::Cast(value, native) => {
            format!("system.cast_as_{}({})", native.text(), inner(value))
        }
        TermKind::Negate(value) => format!("system.\"_negate\"({})", inner(value)),
        TermKind::Arithmetic(operator, operands) => format!(
            "system.\"{}\"({}, {})",
            operator_name(*operator),
            inner(&operands.0),
            inner(&operands.1)
        ),
        TermKind::Placeholder(text) => text.to_string(),
    }
}

fn pairs(entries: impl Iterator<Item = (String, String)>) -> String {
    let entries: Vec<String> = entries.map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{{{}}}", entries.join(", "))
}

/// The fields of a user type literal in the order of the server's hash table: by the bytes of their
/// names, each once with the last value.
pub(super) fn sort_fields(fields: &[(Name, Term)]) -> Vec<&(Name, Term)> {
    let mut kept: Vec<&(Name, Term)> = Vec::with_capacity(fields.len());
    for field in fields {
        match kept.iter_mut().find(|(name, _)| name.text == field.0.text) {
            Some(slot) => *slot = field,
            None => kept.push(field),
        }
    }
    sort_by_hash(kept, |(name, _)| identifier_hash(&name.text))
}

/// The name of a function in a call. `token` is the only reserved word among them, and never
/// quoted.
fn call_name(name: &QualifiedName) -> String {
    let own = &*name.name.text;
    match &name.keyspace {
        None if own == "token" => own.to_owned(),
        Some(keyspace) if own == "token" && &*keyspace.text == "system" => own.to_owned(),
        None => identifier(own),
        Some(keyspace) => format!("{}.{}", identifier(&keyspace.text), identifier(own)),
    }
}
