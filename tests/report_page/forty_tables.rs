//! A model of forty tables in four layers, each with a reference to the layer before: a query by its key and one by its reference, an insert, and for every fourth a delete.

/// The tables of a layer.
const LAYER: usize = 10;
/// The rows of the tables of each layer.
const ROWS: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// The model.
pub(super) fn model() -> String {
    let head = "-- @keyspace forty  @replication dc1:3  @nodes 6".to_owned();
    let tables = (0..LAYER * ROWS.len()).flat_map(table);
    std::iter::once(head).chain(tables).collect::<Vec<_>>().join("\n")
}

/// A table with its statements.
fn table(at: usize) -> Vec<String> {
    let layer = at / LAYER;
    let rows = ROWS[layer];
    let parents = match layer.checked_sub(1) {
        Some(before) => vec![before * LAYER + at % LAYER],
        None => Vec::new(),
    };
    let numbered = || parents.iter().enumerate();
    let references =
        numbered().map(|(nth, of)| format!("ref{nth} uuid NOT NULL REFERENCES part_{of}, "));
    let columns = numbered().map(|(nth, _)| format!("ref{nth}, "));
    let (references, columns) =
        (references.collect::<Vec<_>>().concat(), columns.collect::<Vec<_>>().concat());
    let markers = "?, ".repeat(parents.len());
    let daily = rows / 1_000;
    let mut lines = vec![
        format!("-- @rows {rows}  @grows {daily}/day"),
        format!("CREATE TABLE part_{at} (id uuid PRIMARY KEY, {references}title text NOT NULL,"),
        "  amount bigint NOT NULL, made timestamp NOT NULL);".to_owned(),
        format!("-- name: Part{at} :one\n-- @rate {}/s", 10 * (at + 1)),
        format!("SELECT id, title, amount, made FROM part_{at} WHERE id = ?;"),
        format!("-- name: Add{at} :exec\n-- @rate {daily}/day"),
        format!("INSERT INTO part_{at} (id, {columns}title, amount, made)"),
        format!("VALUES (?, {markers}?, ?, ?);"),
    ];
    for nth in 0..parents.len() {
        lines.push(format!("-- name: Part{at}ByRef{nth} :many\n-- @rate {}/s", 5 * (at + 1)));
        lines.push(format!("SELECT id, title, made FROM part_{at} WHERE ref{nth} = ?"));
        lines.push("ORDER BY made DESC LIMIT 20;".to_owned());
    }
    if at % 4 == 3 {
        lines.push(format!("-- name: Remove{at} :exec\n-- @rate 1/min"));
        lines.push(format!("DELETE FROM part_{at} WHERE id = ?;"));
    }
    lines
}
