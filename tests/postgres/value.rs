//! Values as `PostgreSQL` reads and shows them.
//!
//! A time-ordered id is given to `PostgreSQL` with its time first (as version 6 of the format does), so that its order there is
//! the one that the model file states with `@time`.

use cql::types::{NativeType, Type};
use cql::value;

/// A value in the bytes of its type; `None` is null.
pub(super) type Datum = Option<Vec<u8>>;

/// The significant digits in which fractions agree: sums depend on the order of their rows.
const DIGITS: usize = 11;

/// A literal of no type, as a parameter is of none.
pub(super) fn literal(ty: &Type, value: &Datum) -> String {
    let Some(bytes) = value else { return "NULL".to_owned() };
    format!("'{}'", input_text(ty, bytes).replace('\'', "''"))
}

/// A literal of its own type.
pub(super) fn write_typed_literal(ty: &Type, value: &Datum) -> String {
    format!("{}::{}", literal(ty, value), type_name(ty))
}

pub(super) fn type_name(ty: &Type) -> String {
    match ty {
        Type::Native(NativeType::Decimal | NativeType::Varint) => "numeric".to_owned(),
        Type::Native(NativeType::Double) => "double precision".to_owned(),
        Type::Native(NativeType::Float) => "real".to_owned(),
        Type::Native(NativeType::Timeuuid) => "uuid".to_owned(),
        Type::Native(NativeType::Blob) => "bytea".to_owned(),
        Type::Native(NativeType::Duration) => "interval".to_owned(),
        Type::List(element, _) | Type::Set(element, _) => format!("{}[]", type_name(element)),
        other => other.to_string(),
    }
}

/// A value in the text that `PostgreSQL` reads.
fn input_text(ty: &Type, bytes: &[u8]) -> String {
    let spelt = || {
        let literal = value::literal(ty, Some(bytes)).expect("a generated value has its type");
        let inside = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        inside.map_or(literal.clone(), |inside| inside.replace("''", "'"))
    };
    match ty {
        // A year of five digits has no sign.
        Type::Native(NativeType::Timestamp | NativeType::Date) => {
            spelt().trim_start_matches('+').to_owned()
        }
        Type::List(element, _) | Type::Set(element, _) => {
            let parts = value::split(ty, bytes).expect("a generated value has its type");
            let parts: Vec<_> = parts
                .into_iter()
                .map(|part| part.map_or("NULL".to_owned(), |it| quote(&input_text(element, it))))
                .collect();
            format!("{{{}}}", parts.join(","))
        }
        Type::Map(of, _) => {
            let parts = value::split(ty, bytes).expect("a generated value has its type");
            let pairs = parts.chunks(2).map(|pair| {
                let text = |ty: &Type, part: Option<&[u8]>| {
                    quote(&input_text(ty, part.unwrap_or_default()))
                };
                format!("{}=>{}", text(&of.0, pair[0]), text(&of.1, pair[1]))
            });
            pairs.collect::<Vec<_>>().join(",")
        }
        Type::User(user, _) => {
            let parts = value::split(ty, bytes).expect("a generated value has its type");
            let fields = user.fields.iter().zip(parts);
            let fields = fields
                .map(|((_, ty), part)| part.map_or(String::new(), |it| quote(&input_text(ty, it))));
            format!("({})", fields.collect::<Vec<_>>().join(","))
        }
        Type::Native(NativeType::Timeuuid) => spell_uuid(&order_by_time(bytes)),
        Type::Native(NativeType::Blob) => format!("\\x{}", value::bytes_to_hex(bytes)),
        _ => spelt(),
    }
}

/// A part of an array, a row or a map, in quotes.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn spell_uuid(bytes: &[u8]) -> String {
    value::literal(&NativeType::Uuid.into(), Some(bytes)).expect("an id has sixteen bytes")
}

/// A time-ordered id with its time first.
fn order_by_time(bytes: &[u8]) -> Vec<u8> {
    let order = [6, 7, 4, 5, 0, 1, 2, 3];
    let low = bytes[8..].iter().map(|byte| byte ^ 0x80);
    order.into_iter().map(|at: usize| bytes[at]).chain(low).collect()
}

/// A value as it is compared: from its bytes.
pub(super) fn normalise_bytes(ty: &Type, value: &Datum) -> Option<String> {
    let bytes = value.as_deref()?;
    match ty {
        Type::List(..) | Type::Set(..) => {
            let element = ty.parts()[0];
            let parts = value::split(ty, bytes).expect("a stored value has its type");
            let parts =
                parts.into_iter().map(|part| normalise_bytes(element, &part.map(<[u8]>::to_vec)));
            join_elements(ty, parts.collect())
        }
        Type::Map(..) | Type::User(..) => normalise_text(ty, Some(&input_text(ty, bytes))),
        _ => Some(normalise_scalar(ty, &input_text(ty, bytes))),
    }
}

/// A value as it is compared: from `PostgreSQL`'s text.
pub(super) fn normalise_text(ty: &Type, text: Option<&str>) -> Option<String> {
    let text = text?;
    match ty {
        Type::List(..) | Type::Set(..) => {
            let element = ty.parts()[0];
            let parts = split_array(text);
            let parts = parts.iter().map(|part| normalise_text(element, part.as_deref()));
            join_elements(ty, parts.collect())
        }
        Type::Map(..) => join_elements(ty, split_pairs(text)),
        Type::User(user, _) => {
            let fields = user.fields.iter().zip(split_row(text));
            let fields = fields
                .map(|((_, ty), part)| normalise_text(ty, part.as_deref()))
                .collect::<Vec<_>>();
            Some(format!("{fields:?}"))
        }
        _ => Some(normalise_scalar(ty, text)),
    }
}

/// An array without elements is null, as in CQL, and a set has neither order nor duplicates.
fn join_elements(ty: &Type, mut parts: Vec<Option<String>>) -> Option<String> {
    if matches!(ty, Type::Set(..) | Type::Map(..)) {
        parts.sort();
        parts.dedup();
    }
    (!parts.is_empty()).then(|| format!("{parts:?}"))
}

fn normalise_scalar(ty: &Type, text: &str) -> String {
    let Type::Native(native) = ty else { return text.to_owned() };
    match native {
        NativeType::Boolean => text.starts_with('t').to_string(),
        NativeType::Double => text
            .parse()
            .map_or(text.to_owned(), |number: f64| format!("{:.DIGITS$e}", number + 0.0)),
        NativeType::Float => {
            text.parse().map_or(text.to_owned(), |number: f32| format!("{:.5e}", number + 0.0))
        }
        NativeType::Decimal => {
            let digits = if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.')
            } else {
                text
            };
            if digits == "-0" { "0".to_owned() } else { digits.to_owned() }
        }
        NativeType::Timestamp => normalise_time(&text.replace('T', " ")),
        NativeType::Time => normalise_time(text),
        _ => text.to_owned(),
    }
}

/// A time of day without its zone, which is always UTC, and without zeros at the end of its fraction.
fn normalise_time(text: &str) -> String {
    let zone = text.rfind('+').unwrap_or(text.len());
    let text = text[..zone].trim_end_matches('Z');
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
        .to_owned()
}

/// The elements of an array as `PostgreSQL` shows it.
fn split_array(text: &str) -> Vec<Option<String>> {
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let parts = split_commas(inside.expect("an array is in braces"));
    parts.into_iter().map(|(part, quoted)| (quoted || part != "NULL").then_some(part)).collect()
}

/// The fields of a row as `PostgreSQL` shows it.
fn split_row(text: &str) -> Vec<Option<String>> {
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let mut parts = split_commas(inside.expect("a row is in brackets"));
    if inside.is_some_and(|inside| inside.ends_with(',')) {
        parts.push((String::new(), false));
    }
    parts.into_iter().map(|(part, quoted)| (quoted || !part.is_empty()).then_some(part)).collect()
}

/// The pairs of a map as `PostgreSQL` shows it: all of their texts are in quotes.
fn split_pairs(text: &str) -> Vec<Option<String>> {
    let pairs = split_commas(text).into_iter();
    pairs.map(|(pair, _)| Some(pair.trim_start().to_owned())).collect()
}

/// The parts between commas, without their quotes, and whether each had any.
fn split_commas(text: &str) -> Vec<(String, bool)> {
    let mut parts = Vec::new();
    let mut characters = text.chars().peekable();
    while characters.peek().is_some() {
        let (mut part, mut quoted, mut inside) = (String::new(), false, false);
        while let Some(it) = characters.next_if(|it| inside || *it != ',') {
            match it {
                '"' => (quoted, inside) = (true, !inside),
                '\\' => part.extend(characters.next()),
                other => part.push(other),
            }
        }
        characters.next();
        parts.push((part, quoted));
    }
    parts
}

#[test]
fn values_of_both_sides_are_compared_in_one_form() {
    let native = |native: NativeType| Type::from(native);
    for (ty, bytes, text) in [
        (native(NativeType::Decimal), "10", "10.00"),
        (native(NativeType::Timestamp), "2024-01-01T00:00:00.120Z", "2024-01-01 00:00:00.12"),
        (native(NativeType::Timestamp), "2024-01-01T00:00:00Z", "2024-01-01 00:00:00+00"),
        (native(NativeType::Boolean), "true", "t"),
        (native(NativeType::Double), "0.1", "0.1"),
        (native(NativeType::Date), "2024-01-01", "2024-01-01"),
        (native(NativeType::Time), "12:30:00", "12:30:00"),
        (native(NativeType::Text), "it's", "it's"),
    ] {
        let bytes = Some(value::from_text(&ty, bytes, 0).expect("a value"));
        assert_eq!(normalise_bytes(&ty, &bytes), normalise_text(&ty, Some(text)), "{text}");
    }
    assert_eq!(split_row("(,\"b c\",)"), [None, Some("b c".to_owned()), None]);
    assert_eq!(
        split_array("{a,\"b,\\\"c\",NULL,\"NULL\"}"),
        [Some("a".to_owned()), Some("b,\"c".to_owned()), None, Some("NULL".to_owned())]
    );
}
