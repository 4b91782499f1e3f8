//! `caching = {'keys': ..., 'rows_per_partition': ...}`

use std::collections::BTreeMap;

use cql::Span;

use crate::Result;
use crate::java::number;
use crate::java::order::JavaOptionMap;
use crate::refusal::{OptionReason, refuse};

/// Parses the map; what is not given is not cached.
pub(super) fn read(map: &JavaOptionMap, span: Span) -> Result<BTreeMap<Box<str>, Box<str>>> {
    let mut rest = map.copy();
    let keys = match rest.remove("keys") {
        None => "NONE",
        Some(keys) => read_keys(&keys, span)?,
    };
    let rows = match rest.remove("rows_per_partition") {
        None => "NONE".to_owned(),
        Some(rows) => read_rows(&rows, span)?,
    };
    if !rest.is_empty() {
        return refuse(OptionReason::CachingNames { names: rest.names() }, span);
    }
    Ok([("keys".into(), keys.into()), ("rows_per_partition".into(), rows.into())].into())
}

fn read_keys(keys: &str, span: Span) -> Result<&'static str> {
    if keys.eq_ignore_ascii_case("ALL") {
        return Ok("ALL");
    }
    if keys.eq_ignore_ascii_case("NONE") {
        return Ok("NONE");
    }
    refuse(OptionReason::CachingKeys { keys: keys.to_string() }, span)
}

fn read_rows(rows: &str, span: Span) -> Result<String> {
    if rows.eq_ignore_ascii_case("ALL") || rows.eq_ignore_ascii_case("NONE") {
        return Ok(rows.to_ascii_uppercase());
    }
    if rows.is_empty() || !rows.bytes().all(|byte| byte.is_ascii_digit()) {
        return refuse(OptionReason::CachingRows { rows: rows.to_string() }, span);
    }
    match number::parse_int(rows) {
        Ok(0) => Ok("NONE".to_owned()),
        Ok(i32::MAX) => Ok("ALL".to_owned()),
        Ok(rows) => Ok(rows.to_string()),
        Err(exception) => refuse(OptionReason::CachingNumber { exception }, span),
    }
}
