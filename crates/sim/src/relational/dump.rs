//! Facts and statements as SQL, for the report of a counterexample.

use std::fmt::Write as _;

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::{Concept, Entity};
use model::workload::{Parameter, Supply};

use crate::dataset::{Dataset, Datum, Row};

/// Facts as INSERT statements of SQL.
pub(crate) fn insert_statements(concept: &Concept, data: &Dataset) -> Vec<String> {
    let entities = concept.entities.iter().zip(&data.rows);
    entities
        .flat_map(|(entity, rows)| rows.iter().map(|row| insert_statement(entity, row)))
        .collect()
}

fn insert_statement(entity: &Entity, row: &Row) -> String {
    let given = entity.attributes.iter().zip(row);
    let given = given.filter(|(it, value)| value.is_some() && it.generated.is_none());
    let (names, values): (Vec<&str>, Vec<String>) = given
        .map(|(attribute, value)| (attribute.name.as_str(), literal(&attribute.ty, value)))
        .unzip();
    let (names, values) = (names.join(", "), values.join(", "));
    format!("INSERT INTO {} ({names}) VALUES ({values});", entity.name)
}

/// The SQL of a read or write with its values in place of its parameters.
pub(crate) fn with_values(sql: &str, parameters: &[Parameter], values: &[Datum]) -> String {
    let literals: Vec<String> =
        parameters.iter().zip(values).map(|(it, value)| literal(&it.ty, value)).collect();
    let mut out = String::with_capacity(sql.len());
    let mut known: Vec<&str> = Vec::new();
    let mut rest = sql;
    while let Some(start) = rest.find(['?', '$', ':', '\'', '"']) {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let length = mark_length(from);
        let (mark, behind) = from.split_at(length);
        rest = behind;
        if !is_parameter(mark) {
            out.push_str(mark);
            continue;
        }
        let position = known.iter().position(|name| *name == mark && mark != "?");
        let position = position.unwrap_or_else(|| {
            known.push(mark);
            known.len() - 1
        });
        out.push_str(literals.get(position).map_or(mark, String::as_str));
    }
    out.push_str(rest);
    // What the client makes stands nowhere in the text.
    for (parameter, literal) in parameters.iter().zip(&literals) {
        if let Supply::Client(value) = parameter.supply {
            let _ = write!(out, " /* {} = {literal}, {value} */", parameter.name);
        }
    }
    out
}

/// The length of the first token: a quoted text, a parameter, a cast or a character.
fn mark_length(text: &str) -> usize {
    let first = text.chars().next().unwrap_or(' ');
    let word = |from: &str| {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        from.find(|it| !is_word(it)).unwrap_or(from.len())
    };
    match first {
        '\'' | '"' => text[1..].find(first).map_or(text.len(), |end| end + 2),
        ':' if text.starts_with("::") => 2,
        ':' | '$' => 1 + word(&text[1..]),
        _ => first.len_utf8(),
    }
}

fn is_parameter(mark: &str) -> bool {
    mark == "?" || (mark.len() > 1 && mark.starts_with([':', '$']) && mark != "::")
}

/// A value as an SQL literal.
fn literal(ty: &Type, value: &Datum) -> String {
    let Some(bytes) = value else { return "NULL".to_owned() };
    let spelt = || value::literal(ty, Some(bytes)).unwrap_or_else(|_| "?".to_owned());
    match ty {
        Type::List(element, _) | Type::Set(element, _) => {
            let parts = value::split(ty, bytes).unwrap_or_default();
            let parts: Vec<String> =
                parts.into_iter().map(|part| literal(element, &part.map(<[u8]>::to_vec))).collect();
            format!("ARRAY[{}]", parts.join(", "))
        }
        Type::Native(NativeType::Uuid | NativeType::Timeuuid | NativeType::Duration) => {
            format!("'{}'", spelt())
        }
        Type::Native(NativeType::Blob) => format!("'\\x{}'", value::bytes_to_hex(bytes)),
        Type::Native(_) => spelt(),
        _ => format!("'{}'", spelt().replace('\'', "''")),
    }
}
