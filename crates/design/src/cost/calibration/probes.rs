//! Small workloads, each of which uses much of one price and little of the others.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};
use model::plan::Effort;
use schema::size::{self, ColumnLayout, PartitionLayout, RowOrigin, WriteAge};

/// The time within which the rows of a probe are written, in seconds.
const PROBE_SECONDS: f64 = 60.0;

/// A small workload: what to create and to fill, and the statement to run and to time.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// What it is about.
    pub name: &'static str,
    /// What to create, in an empty keyspace that is in use.
    pub tables: Vec<String>,
    /// What to fill it with.
    pub fills: Vec<Fill>,
    /// The statement, to be prepared and run many times.
    pub statement: String,
    /// The values of its `?`.
    pub binds: Vec<BindValue>,
    /// The effort of each run.
    pub effort: Effort,
}

/// A statement to run before, several times.
#[derive(Clone, Debug, PartialEq)]
pub struct Fill {
    /// The statement.
    pub statement: String,
    /// The values of its `?`.
    pub binds: Vec<BindValue>,
    /// How often.
    pub times: u32,
}

/// The value of a `?` at the run of this number, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindValue {
    /// The number itself, as an `int`.
    Number,
    /// The number modulo this, as an `int`.
    Within(u32),
    /// The number divided by this, as an `int`.
    Part(u32),
    /// A text of so many bytes, the same at each run.
    Text(u32),
}

/// Partitions that are filled where single rows are read.
const SINGLE: u32 = 5_000;
/// Partitions of many rows.
const FEW: u32 = 20;
/// Bytes of a short and of a long text.
const SHORT: u32 = 20;
const LONG: u32 = 4_000;

/// All probes.
pub fn probes() -> Vec<Probe> {
    let mut all = vec![point("a row by its key", SHORT), point("a large row by its key", LONG)];
    all.extend([5, 15].map(partition_list));
    all.extend([10, 100, 1_000].map(|rows| slice(rows, SHORT)));
    all.push(slice(100, LONG / 4));
    all.extend([20, 90].map(collection));
    all.push(tombstones());
    all.push(index_lookup());
    all.extend(writes());
    all
}

/// A row by its key.
fn point(name: &'static str, bytes: u32) -> Probe {
    Probe {
        name,
        tables: vec![TABLE.to_owned()],
        fills: vec![fill(SINGLE, 1, bytes)],
        statement: "SELECT c, v FROM probe WHERE k = ?".to_owned(),
        binds: vec![BindValue::Within(SINGLE)],
        effort: read(1.0, 1.0, f64::from(bytes), 1.0),
    }
}

/// Several partitions by one statement.
fn partition_list(values: u32) -> Probe {
    let marks = vec!["?"; usize::try_from(values).unwrap_or(1)].join(", ");
    // Scattered partitions: each divisor gives another number for the run.
    let binds = (0..values).map(|at| BindValue::Within(SINGLE - at * 7)).collect();
    Probe {
        name: "partitions by one statement",
        tables: vec![TABLE.to_owned()],
        fills: vec![fill(SINGLE, 1, SHORT)],
        statement: format!("SELECT c, v FROM probe WHERE k IN ({marks})"),
        binds,
        effort: read(f64::from(values), f64::from(values), f64::from(SHORT), 1.0),
    }
}

/// The first rows of a partition.
fn slice(rows: u32, bytes: u32) -> Probe {
    Probe {
        name: "rows of a partition",
        tables: vec![TABLE.to_owned()],
        fills: vec![fill(FEW, rows, bytes)],
        statement: "SELECT c, v FROM probe WHERE k = ?".to_owned(),
        binds: vec![BindValue::Within(FEW)],
        effort: read(1.0, f64::from(rows), f64::from(bytes), 1.0),
    }
}

/// A row with a collection.
fn collection(items: u32) -> Probe {
    let elements: Vec<String> = (0..items).map(|at| format!("'{at:010}'")).collect();
    let set = Type::Set(Arc::new(Type::Native(NativeType::Text)), Frozenness::No);
    let field = ColumnLayout::new(set, 10.0, f64::from(items));
    Probe {
        name: "a row with a collection",
        tables: vec!["CREATE TABLE probe (k int PRIMARY KEY, v set<text>)".to_owned()],
        fills: vec![Fill {
            statement: format!("INSERT INTO probe (k, v) VALUES (?, {{{}}})", elements.join(", ")),
            binds: vec![BindValue::Number],
            times: 500,
        }],
        statement: "SELECT v FROM probe WHERE k = ?".to_owned(),
        binds: vec![BindValue::Within(500)],
        effort: Effort {
            cells: f64::from(items),
            bytes: bytes_of(&[], &[field]),
            ..read(1.0, 1.0, 0.0, 1.0)
        },
    }
}

/// A partition of which only the last row is left.
fn tombstones() -> Probe {
    let rows = 500;
    Probe {
        name: "a row behind tombstones",
        tables: vec![TABLE.to_owned()],
        fills: vec![
            fill(FEW, rows, SHORT),
            Fill {
                statement: "DELETE FROM probe WHERE k = ? AND c = ?".to_owned(),
                binds: vec![BindValue::Part(rows - 1), BindValue::Within(rows - 1)],
                times: FEW * (rows - 1),
            },
        ],
        statement: "SELECT c, v FROM probe WHERE k = ? LIMIT 1".to_owned(),
        binds: vec![BindValue::Within(FEW)],
        effort: Effort { tombstones: f64::from(rows - 1), ..read(1.0, 1.0, f64::from(SHORT), 1.0) },
    }
}

/// A row by an index.
fn index_lookup() -> Probe {
    Probe {
        name: "a row by an index",
        tables: vec![
            "CREATE TABLE probe (k int PRIMARY KEY, v int)".to_owned(),
            "CREATE INDEX probe_v ON probe (v)".to_owned(),
        ],
        fills: vec![Fill {
            statement: "INSERT INTO probe (k, v) VALUES (?, ?)".to_owned(),
            binds: vec![BindValue::Number, BindValue::Number],
            times: SINGLE,
        }],
        statement: "SELECT k, v FROM probe WHERE v = ?".to_owned(),
        binds: vec![BindValue::Within(SINGLE)],
        effort: Effort { nodes: 1.0, ..read(1.0, 1.0, 4.0, 1.0) },
    }
}

/// Statements that write.
fn writes() -> Vec<Probe> {
    let insert = |bytes: u32, end: &str| {
        (
            format!("INSERT INTO probe (k, c, v) VALUES (?, 0, ?){end}"),
            vec![BindValue::Number, BindValue::Text(bytes)],
        )
    };
    let row = |bytes: u32| Effort {
        written: 1.0,
        written_bytes: row_bytes(f64::from(bytes)),
        ..Effort::default()
    };
    let probe = |name, table: &str, (statement, binds), effort| Probe {
        name,
        tables: vec![table.to_owned()],
        fills: Vec::new(),
        statement,
        binds,
        effort,
    };
    let batch = |rows: u32| {
        let lines: Vec<String> = (0..rows)
            .map(|c| format!("INSERT INTO probe (k, c, v) VALUES (?, {c}, 'text of twenty bytes')"))
            .collect();
        let binds = (1..=rows).map(|at| BindValue::Within(SINGLE * at + 1)).collect();
        (format!("BEGIN BATCH {}; APPLY BATCH", lines.join("; ")), binds)
    };
    let logged = |rows: u32| Effort { logged: f64::from(rows), ..row(SHORT) * f64::from(rows) };
    let counter = "CREATE TABLE probe (k int PRIMARY KEY, v counter)";
    let count =
        ("UPDATE probe SET v = v + 1 WHERE k = ?".to_owned(), vec![BindValue::Within(SINGLE)]);
    let delete = ("DELETE FROM probe WHERE k = ? AND c = 0".to_owned(), vec![BindValue::Number]);
    let counted = Effort { counted: 1.0, ..row(8) };
    vec![
        probe("a row written", TABLE, insert(SHORT, ""), row(SHORT)),
        probe("a large row written", TABLE, insert(LONG, ""), row(LONG)),
        probe("a row deleted", TABLE, delete, Effort { deleted: 1.0, ..Effort::default() }),
        probe("partitions of a logged batch", TABLE, batch(2), logged(2)),
        probe("more partitions of a logged batch", TABLE, batch(8), logged(8)),
        probe(
            "a row written on a condition",
            TABLE,
            insert(SHORT, " IF NOT EXISTS"),
            Effort { conditional: 1.0, ..row(SHORT) },
        ),
        probe("a counter update", counter, count, counted),
    ]
}

/// The table of most probes.
const TABLE: &str = "CREATE TABLE probe (k int, c int, v text, PRIMARY KEY (k, c))";

/// Fills that table with partitions of so many rows.
fn fill(partitions: u32, rows: u32, bytes: u32) -> Fill {
    Fill {
        statement: "INSERT INTO probe (k, c, v) VALUES (?, ?, ?)".to_owned(),
        binds: vec![BindValue::Part(rows), BindValue::Within(rows), BindValue::Text(bytes)],
        times: partitions * rows,
    }
}

/// What one statement takes that reads rows with a text of so many bytes.
fn read(partitions: f64, rows: f64, bytes: f64, cells: f64) -> Effort {
    Effort {
        requests: 1.0,
        partitions,
        rows,
        cells: rows * cells,
        bytes: rows * row_bytes(bytes)
            + partitions * size::partition_overhead(&layout(Vec::new(), Vec::new())),
        ..Effort::default()
    }
}

/// Bytes of a row of that table with a text of so many bytes.
fn row_bytes(bytes: f64) -> f64 {
    let number = ColumnLayout::new(Type::Native(NativeType::Int), 4.0, 1.0);
    bytes_of(&[number], &[ColumnLayout::new(Type::Native(NativeType::Text), bytes, 1.0)])
}

/// Bytes of a row with these columns.
fn bytes_of(clustering: &[ColumnLayout], regulars: &[ColumnLayout]) -> f64 {
    size::row(&layout(clustering.to_vec(), regulars.to_vec()))
}

fn layout(clustering: Vec<ColumnLayout>, regulars: Vec<ColumnLayout>) -> PartitionLayout {
    PartitionLayout {
        partition_key: vec![ColumnLayout::new(Type::Native(NativeType::Int), 4.0, 1.0)],
        clustering,
        statics: Vec::new(),
        regulars,
        written: RowOrigin::Insert,
        expires: None,
        beside_tombstones: false,
        span: WriteAge::from_seconds(PROBE_SECONDS),
        counter_shards: 1.0,
    }
}
