//! Reads the output of `helenus stats --sql`: one JSON document per line.

use std::collections::BTreeMap;
use std::path::Path;

use model::measurement::{MeasuredColumn, MeasuredStatement, MeasuredTable, Measurements};
use serde_json::{Map, Value};

use super::text_file;
use crate::outcome::{Failure, Outcome};

/// Reads a file of measurements.
pub(crate) fn read(path: &Path) -> Result<Measurements, Failure> {
    let file = text_file::read(path)?.source;
    parse(&file.text).map_err(|(line, what)| {
        let message = format!(
            "{}:{line}: {what}; write the file with helenus stats --sql | psql -XAtq mydb",
            file.name
        );
        Failure::Stopped(Outcome::BadInput, message)
    })
}

/// The measurements of a text, or the line that is wrong and what is wrong with it.
fn parse(text: &str) -> Result<Measurements, (usize, String)> {
    let mut tables: BTreeMap<String, MeasuredTable> = BTreeMap::new();
    let mut statements = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fail = |what: &str| (number + 1, what.to_owned());
        let document: Map<String, Value> =
            serde_json::from_str(line).map_err(|_| fail("this is no JSON document"))?;
        if let Some(statement) = document.get("statement").and_then(Value::as_str) {
            statements.extend(read_statement(statement, &document));
            continue;
        }
        let name = document.get("table").and_then(Value::as_str);
        let name = name.ok_or_else(|| fail("the document names no table"))?.to_owned();
        let table = tables.entry(name.clone()).or_default();
        table.name = name;
        match document.get("column").and_then(Value::as_str) {
            Some(column) => table.columns.push(read_column(column, &document)),
            // Of tables of the same name in several schemas, the largest is taken.
            None => table.rows = larger(table.rows, number_of(&document, "rows")),
        }
    }
    Ok(Measurements { tables: tables.into_values().collect(), statements })
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

fn read_column(name: &str, document: &Map<String, Value>) -> MeasuredColumn {
    let figure = |key: &str| number_of(document, key).unwrap_or_default();
    let shares = document.get("shares").and_then(Value::as_array).into_iter().flatten();
    let shares = shares.filter_map(Value::as_f64).filter(|share| (0.0..=1.0).contains(share));
    MeasuredColumn {
        name: name.to_owned(),
        distinct: figure("distinct"),
        bytes: figure("bytes").max(0.0),
        nulls: figure("nulls").clamp(0.0, 1.0),
        shares: shares.collect(),
        items: number_of(document, "items"),
    }
}

/// A statement that ran, unless nothing is known of the time.
fn read_statement(sql: &str, document: &Map<String, Value>) -> Option<MeasuredStatement> {
    let (calls, seconds) = (number_of(document, "calls")?, number_of(document, "seconds")?);
    let rate = calls / seconds;
    (seconds > 0.0 && rate.is_finite()).then(|| MeasuredStatement { sql: sql.to_owned(), rate })
}

/// A number, which the database may write as a text.
fn number_of(document: &Map<String, Value>, key: &str) -> Option<f64> {
    let value = document.get(key)?;
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_tables_columns_and_statements() {
        let text = r#"{"table" : "a", "schema" : "public", "rows" : 10}
{"table" : "a", "schema" : "public", "column" : "b", "distinct" : -0.5, "bytes" : 4, "nulls" : 0, "shares" : [0.5,0.1], "items" : null}

{"statement" : "SELECT $1", "calls" : 100, "seconds" : "50.0"}
"#;
        let found = parse(text).unwrap();
        let table = found.table("a").unwrap();
        assert_eq!(table.rows, Some(10.0));
        assert_eq!((table.columns[0].distinct, table.columns[0].shares.len()), (-0.5, 2));
        assert_eq!(
            found.statements,
            [MeasuredStatement { sql: "SELECT $1".to_owned(), rate: 2.0 }]
        );
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        assert_eq!(parse("{}\n").unwrap_err(), (1, "the document names no table".to_owned()));
        let aligned = " json_build_object \n----\n";
        assert_eq!(parse(aligned).unwrap_err(), (1, "this is no JSON document".to_owned()));
    }
}
