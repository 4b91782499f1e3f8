//! INSERT JSON. A literal document is parsed when the statement is prepared; every column that it
//! does not name becomes null, or stays unchanged with DEFAULT UNSET.

use std::collections::HashMap;

use cql::Span;
use cql::term::{Constant, Term, TermKind};
use cql::types::{NativeType, Type};

use super::{Operation, OperationKind, WriteRows};
use crate::bind::context::{Context, Receiver};
use crate::bind::json::{self, Json};
use crate::bind::term::BoundTerm;
use crate::catalog::{Column, Table};
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{FormatReason, JsonReason, NameReason, refuse};
use crate::{Refusal, Result};

/// Binds the document.
pub(super) fn bind(
    cx: &mut Context<'_>,
    table: &Table,
    document: &Term,
    default_unset: bool,
) -> Result<(WriteRows, Vec<Operation>)> {
    let text = match &document.kind {
        TermKind::Constant(Constant { text, .. }) => text,
        TermKind::Marker(marker) => {
            let receiver = Receiver {
                keyspace: table.keyspace.clone(),
                table: table.name.clone(),
                name: "[json]".into(),
                ty: Type::Native(NativeType::Text),
            };
            cx.add_marker(marker.index, &receiver, None);
            check_hidden(table, document.span)?;
            return Ok((WriteRows::Document { marker: marker.index, default_unset }, Vec::new()));
        }
        // A template placeholder: the document is unknown.
        _ => return Ok((WriteRows::Key(Vec::new()), Vec::new())),
    };
    bind_document(cx.now_ms, table, text, default_unset, document.span)
}

/// The rows and operations of a document.
pub(in crate::bind) fn bind_document(
    now_ms: i64,
    table: &Table,
    text: &str,
    default_unset: bool,
    span: Span,
) -> Result<(WriteRows, Vec<Operation>)> {
    let mut values = read(now_ms, table, text, span)?;
    check_hidden(table, span)?;
    let missing = if default_unset { None } else { Some(BoundTerm::NULL) };
    let mut value_of = |column: &Column| values.remove(&*column.name).or_else(|| missing.clone());
    let key = table.primary_key().iter().map(&mut value_of).collect();
    let others = table.columns().iter().enumerate().skip(table.primary_key().len());
    let operations = others
        .filter_map(|(column, definition)| {
            let kind = OperationKind::Set(value_of(definition)?);
            Some(Operation { column, kind, span })
        })
        .collect();
    Ok((WriteRows::Key(key), operations))
}

/// A document gives every column a value, including hidden ones; the server then does not find the
/// hidden key.
fn check_hidden(table: &Table, span: Span) -> Result<()> {
    let Some(clustering) = table.implicit_clustering() else { return Ok(()) };
    Err(Refusal::new(NameReason::UndefinedColumn { column: clustering.name.to_string(), table: table.qualified_name() }, span)
        .with_help("write (...) VALUES (...); a table with COMPACT STORAGE and no clustering column does not support JSON")
        .into())
}

/// The values of the columns in a document.
fn read<'a>(
    now_ms: i64,
    table: &'a Table,
    text: &str,
    span: Span,
) -> Result<HashMap<&'a str, BoundTerm>> {
    let members = json::read_object(text).map_err(|fault| {
        Box::new(Refusal::new(
            JsonReason::NotAMap { fault: Box::new(fault), text: text.to_string() },
            span,
        ))
    })?;
    let Some(members) = members else {
        return refuse(JsonReason::Null, span);
    };
    let names = json::fold_names(members);
    let mut unused: HashMap<&str, &Json> =
        names.iter().map(|(name, value)| (&**name, value)).collect();
    let mut values = HashMap::with_capacity(unused.len());
    for column in sort_columns(table) {
        let value = match unused.remove(&*column.name) {
            None => continue,
            Some(Json::Null) => BoundTerm::NULL,
            Some(value) => json::decode(&column.ty, value, now_ms)
                .map_err(|error| Box::new(column_refusal(&error, &column.name, span)))?,
        };
        values.insert(&*column.name, value);
    }
    match names.iter().find(|(name, _)| unused.contains_key(&**name)) {
        Some((name, _)) => {
            let help = has_folded(table, name)
                .then_some("quote the name inside the JSON string: \"\\\\\"Name\\\\\"\"");
            Err(with_help(
                Refusal::new(JsonReason::UnknownColumn { column: name.to_string() }, span),
                help,
            )
            .into())
        }
        None => Ok(values),
    }
}

fn has_folded(table: &Table, name: &str) -> bool {
    table.columns().iter().any(|column| column.name.to_lowercase() == name)
}

fn with_help(refusal: Refusal, help: Option<&str>) -> Refusal {
    match help {
        Some(help) => refusal.with_help(help),
        None => refusal,
    }
}

fn column_refusal(error: &json::DecodeError, column: &str, span: Span) -> Refusal {
    let reason = match error {
        json::DecodeError::Marshal(error) => {
            FormatReason::JsonColumn { column: column.to_owned(), error: error.clone() }
        }
        json::DecodeError::Other(code, text) => {
            FormatReason::JsonColumnFailure(*code, text.clone())
        }
    };
    Refusal::new(reason, span)
}

/// The server takes the columns in the order of a Java hash table of their names; of several
/// invalid values it reports the first one in that order.
fn sort_columns(table: &Table) -> Vec<&Column> {
    sort_by_hash(table.columns().iter().chain(&table.hidden), |column: &&Column| {
        identifier_hash(&column.name)
    })
}
