//! Values that do not fit: how they are written.

use crate::Refusal;

pub(super) fn help(refusal: &Refusal) -> Option<String> {
    let message = &*refusal.message();
    if let Some(rest) = message.strip_prefix("Invalid ") {
        return constant(rest);
    }
    let form = if message.contains("formatted date (long)") {
        "write a date as '2026-01-31', a timestamp as '2026-01-31 10:30:00+0000'"
    } else if message.contains("formatted time (long)") {
        "write a time as '10:30:00.000'"
    } else {
        return None;
    };
    Some(form.to_owned())
}

/// `STRING constant (x) for "c" of type uuid`
fn constant(message: &str) -> Option<String> {
    let (kind, rest) = message.split_once(" constant (")?;
    let (_, wanted) = rest.rsplit_once(" of type ")?;
    let is_text = matches!(wanted, "text" | "ascii");
    Some(match (kind, wanted) {
        (_, _) if is_text => "put the text between single quotes".to_owned(),
        ("STRING", "uuid" | "timeuuid") => "write the uuid without quotes".to_owned(),
        ("STRING", "blob") => "write the bytes as 0x..., without quotes".to_owned(),
        ("STRING", "boolean") => "write true or false, without quotes".to_owned(),
        ("STRING", "duration") => "write the duration without quotes: 1h30m".to_owned(),
        ("STRING", "inet" | "timestamp" | "date" | "time") => return None,
        ("STRING", _) => format!("write a value of type {wanted}, without quotes"),
        (_, "inet" | "timestamp" | "date" | "time") => {
            "put the value between single quotes".to_owned()
        }
        _ => format!("write a value of type {wanted}"),
    })
}
