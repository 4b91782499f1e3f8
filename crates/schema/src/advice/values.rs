//! Helps for values of a wrong type or format.

use cql::types::{NativeType, Type};
use cql::value::TextForm;

use crate::refusal::{Reason, TermReason};

pub(super) fn help(reason: &Reason) -> Option<String> {
    let form = match reason {
        Reason::Term(TermReason::Constant { kind, ty, .. }) => return constant(kind, ty),
        Reason::Format(reason) => match reason.form()? {
            TextForm::Date => {
                "write a date as '2026-01-31', a timestamp as '2026-01-31 10:30:00+0000'"
            }
            TextForm::Time => "write a time as '10:30:00.000'",
            TextForm::Number => return None,
        },
        _ => return None,
    };
    Some(form.to_owned())
}

/// The help for a constant that does not fit the expected type.
fn constant(kind: &str, expected: &Type) -> Option<String> {
    use NativeType as N;
    let native = match expected {
        Type::Native(native) => Some(*native),
        _ => None,
    };
    Some(match (kind, native) {
        (_, Some(N::Text | N::Ascii)) => "enclose the text in single quotes".to_owned(),
        ("STRING", Some(N::Uuid | N::Timeuuid)) => "write the uuid without quotes".to_owned(),
        ("STRING", Some(N::Blob)) => "write the bytes as 0x..., without quotes".to_owned(),
        ("STRING", Some(N::Boolean)) => "write true or false, without quotes".to_owned(),
        ("STRING", Some(N::Duration)) => "write the duration without quotes: 1h30m".to_owned(),
        ("STRING", Some(N::Inet | N::Timestamp | N::Date | N::Time)) => return None,
        ("STRING", _) => format!("write a value of type {expected}, without quotes"),
        (_, Some(N::Inet | N::Timestamp | N::Date | N::Time)) => {
            "enclose the value in single quotes".to_owned()
        }
        _ => format!("write a value of type {expected}"),
    })
}
