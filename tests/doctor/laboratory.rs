//! The laboratory: a node of its own, on which the pathologies of the anti-pattern catalogue are made
//! for real, beside tables that are well.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use cluster::{Connection, ConnectionOptions, Request};
use cql::BatchKind;

use crate::cassandra::{self, NodeHome, NodeSettings};

pub(super) const SCHEMA: &str = include_str!("schema.cql");
/// Bytes of the large partition: rows of a megabyte.
const LARGE_ROWS: i32 = 150;
const MEGABYTE: usize = 1_000_000;
const TOMBSTONES: i32 = 60_000;
/// A value of user data, which no output may contain.
pub(super) const SECRET: &str = "diagnosis-of-a-patient";
/// A partition key of user data, of the largest partition of its table.
pub(super) const SECRET_KEY: &str = "patient-4711";
/// Rows of the tables that are not small.
const ROWS: i32 = 12_000;
/// Times that each statement of the workload runs.
const ROUNDS: i32 = 30;

/// A node with everything that is wrong.
pub(super) struct Laboratory {
    pub(super) address: SocketAddr,
    pub(super) home: NodeHome,
}

/// The values of the markers of a statement; none is null.
pub(super) type Values = Vec<Vec<u8>>;

/// The values as a request takes them.
fn bind(values: Values) -> Vec<Option<Vec<u8>>> {
    values.into_iter().map(Some).collect()
}

pub(super) fn int(value: i32) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

fn moment(second: i32) -> Vec<u8> {
    (1_700_000_000_000 + i64::from(second) * 1_000).to_be_bytes().to_vec()
}

pub(super) fn text(value: &str) -> Vec<u8> {
    value.as_bytes().to_vec()
}

/// A list of texts, as the native protocol writes it.
fn list(values: &[Vec<u8>]) -> Vec<u8> {
    let length = |count: usize| i32::try_from(count).unwrap_or(i32::MAX).to_be_bytes();
    let mut bytes = length(values.len()).to_vec();
    for value in values {
        bytes.extend(length(value.len()));
        bytes.extend(value);
    }
    bytes
}

/// A version 1 UUID with a time that grows with the number.
fn time_uuid(number: i32) -> Vec<u8> {
    let ticks = 0x01ee_0000_0000_0000_u64 + u64::from(number.unsigned_abs()) * 10_000;
    let mut bytes = Vec::new();
    bytes.extend(u32::try_from(ticks & 0xffff_ffff).unwrap_or_default().to_be_bytes());
    bytes.extend(u16::try_from((ticks >> 32) & 0xffff).unwrap_or_default().to_be_bytes());
    bytes
        .extend((u16::try_from((ticks >> 48) & 0x0fff).unwrap_or_default() | 0x1000).to_be_bytes());
    bytes.extend([0x80, 1, 2, 3, 4, 5, 6, 7]);
    bytes
}

impl Laboratory {
    /// A node that logs as much as it can.
    pub(super) const INSTRUMENTED: NodeSettings<'static> = NodeSettings {
        name: "doctor",
        yaml: "slow_query_log_timeout: 20ms\n",
        logback: include_str!("logback.xml"),
        ..NodeSettings::SHARED
    };
    /// A node that logs what it logs by default.
    pub(super) const DEFAULT: NodeSettings<'static> = NodeSettings {
        name: "doctor-default",
        logback: include_str!("logback_default.xml"),
        ..NodeSettings::SHARED
    };

    /// Starts the node and makes everything; nothing where there can be no node. An instrumented
    /// one also logs the statements, and its files are compacted before they are measured.
    pub(super) fn build(settings: &NodeSettings<'_>) -> Option<Self> {
        let (address, home) = cassandra::separate_node(settings)?;
        let laboratory = Self { address, home };
        let is_instrumented = settings.name == Self::INSTRUMENTED.name;
        let mut connection = laboratory.connect();
        for statement in SCHEMA.split(';').filter(|text| text.contains("CREATE")) {
            connection.run(statement, &[]).expect("the schema is valid");
        }
        load(&mut connection);
        if is_instrumented {
            let logger = ["--logger", "FileAuditLogger", "--included-keyspaces", "lab"];
            laboratory.home.nodetool(&[&["enableauditlog"], &logger[..]].concat());
        }
        run_workload(&mut connection);
        laboratory.home.nodetool(&["flush", "lab"]);
        if is_instrumented {
            laboratory.home.nodetool(&["disableauditlog"]);
            // Partitions are measured within one file.
            laboratory.home.nodetool(&["compact", "lab"]);
        }
        laboratory.home.nodetool(&["refreshsizeestimates"]);
        Some(laboratory)
    }

    pub(super) fn connect(&self) -> Connection {
        let options = ConnectionOptions::from_contact_points(&self.address.to_string());
        Connection::open(&options.expect("an address")).expect("the node listens")
    }

    /// What an operator would collect from the node, in a folder.
    pub(super) fn collect(&self, folder: &Path) -> PathBuf {
        let node = folder.join("127.0.0.1");
        fs::create_dir_all(node.join("nodetool")).expect("a folder");
        fs::create_dir_all(node.join("logs")).expect("a folder");
        let commands: [&[&str]; 9] = [
            &["tablestats"],
            &["tpstats"],
            &["compactionstats"],
            &["info"],
            &["status"],
            &["describecluster"],
            &["gcstats"],
            &["getcompactionthroughput"],
            &["tablehistograms"],
        ];
        for command in commands {
            let output = self.home.nodetool(command);
            let file = node.join("nodetool").join(format!("{}.txt", command[0]));
            fs::write(file, output).expect("a file");
        }
        for log in ["system.log", "debug.log", "audit.log"] {
            let from = self.home.folder().join("logs").join(log);
            // A node writes no audit log by default.
            if from.is_file() {
                fs::copy(from, node.join("logs").join(log)).expect("a log");
            }
        }
        let yaml = self.home.folder().join("conf/cassandra.yaml");
        fs::copy(yaml, node.join("cassandra.yaml")).expect("the settings");
        fs::write(node.join("schema.cql"), SCHEMA).expect("the schema");
        node.parent().map(Path::to_path_buf).unwrap_or_default()
    }
}

/// Runs a statement with many values.
pub(super) fn run_many(connection: &mut Connection, cql: &str, rows: impl Iterator<Item = Values>) {
    let rows: Vec<_> = rows.map(bind).collect();
    for rows in rows.chunks(2_000) {
        let requests: Vec<Request<'_>> =
            rows.iter().map(|values| Request { cql, values }).collect();
        connection.run_all(&requests).unwrap_or_else(|error| panic!("{cql}: {error}"));
    }
}

fn load(connection: &mut Connection) {
    let large = "x".repeat(MEGABYTE);
    for row in 0..LARGE_ROWS {
        let insert = "INSERT INTO lab.activity (user_id, at, details) VALUES (?, ?, ?)";
        let values = bind(vec![int(7), moment(row), text(&large)]);
        connection.run(insert, &values).expect("a row");
    }
    let small = "INSERT INTO lab.activity (user_id, at, details) VALUES (?, ?, ?)";
    run_many(connection, small, (100..1_100).map(|user| vec![int(user), moment(user), text("a")]));
    let delete = "DELETE FROM lab.inbox WHERE box = ? AND id = ?";
    run_many(connection, delete, (0..TOMBSTONES).map(|id| vec![int(1), int(id)]));
    let insert = "INSERT INTO lab.inbox (box, id, body) VALUES (?, ?, ?)";
    run_many(connection, insert, (0..100).map(|id| vec![int(1), int(TOMBSTONES + id), text("b")]));
    for table in ["users", "members", "products", "accounts"] {
        let cql = match table {
            "users" => "INSERT INTO lab.users (id, name, country) VALUES (?, ?, 'US')".to_owned(),
            "members" => "INSERT INTO lab.members (id, name, email) VALUES (?, ?, ?)".to_owned(),
            _ => format!("INSERT INTO lab.{table} (id, name) VALUES (?, ?)"),
        };
        let is_member = table == "members";
        run_many(
            connection,
            &cql,
            (0..ROWS).map(|id| {
                let mut values = vec![int(id), text(&format!("name {id}"))];
                values.extend(is_member.then(|| text(&format!("user{id}@example.com"))));
                values
            }),
        );
    }
    let body = "y".repeat(20_000);
    let insert = "INSERT INTO lab.tenants (tenant, id, body) VALUES (?, ?, ?)";
    run_many(connection, insert, (0..1_000).map(|id| vec![int(0), int(id), text(&body)]));
    run_many(connection, insert, (1..500).map(|tenant| vec![int(tenant), int(1), text("small")]));
    let value = "z".repeat(1_000);
    for table in ["metrics", "readings"] {
        let cql = format!("INSERT INTO lab.{table} (sensor, at, value) VALUES (?, ?, ?)");
        let row = |at: i32| vec![int(at % 500), moment(at), text(&format!("{at}{value}"))];
        run_many(connection, &cql, (0..10_000).map(row));
    }
    let insert = "INSERT INTO lab.orders (customer, id, body) VALUES (?, ?, ?)";
    run_many(connection, insert, (0..ROWS).map(|id| vec![int(id % 600), int(id), text("order")]));
    let insert = "INSERT INTO lab.carts (customer, item, amount) VALUES (?, ?, ?)";
    run_many(connection, insert, (0..ROWS).map(|id| vec![int(id % 2_000), int(id), int(1)]));
    let insert = "INSERT INTO lab.flags (name, on_for) VALUES (?, ?)";
    run_many(connection, insert, (0..50).map(|id| vec![text(&format!("flag {id}")), text("all")]));
}

/// What the application does all day.
fn run_workload(connection: &mut Connection) {
    let run = |connection: &mut Connection, cql: &str, values: Values| {
        connection.run(cql, &bind(values)).unwrap_or_else(|error| panic!("{cql}: {error}"));
    };
    for round in 0..ROUNDS {
        run(
            connection,
            "SELECT at, details FROM lab.activity WHERE user_id = ? LIMIT 1",
            vec![int(7)],
        );
        run(connection, "SELECT * FROM lab.inbox WHERE box = ?", vec![int(1)]);
        run(
            connection,
            "SELECT * FROM lab.members WHERE email = ?",
            vec![text("user77@example.com")],
        );
        run(
            connection,
            "SELECT * FROM lab.flags WHERE on_for = ? ALLOW FILTERING",
            vec![text("all")],
        );
        run(connection, "SELECT name FROM lab.accounts WHERE id = ?", vec![int(round)]);
        run(connection, "SELECT * FROM lab.orders WHERE customer = ? LIMIT 10", vec![int(round)]);
        run(connection, "SELECT * FROM lab.readings WHERE sensor = ? LIMIT 10", vec![int(round)]);
        run(connection, "SELECT * FROM lab.metrics WHERE sensor = ? LIMIT 10", vec![int(round)]);
        run(connection, "SELECT * FROM lab.carts WHERE customer = ?", vec![int(round)]);
        run(
            connection,
            "DELETE FROM lab.carts WHERE customer = ? AND item = ?",
            vec![int(round), int(round)],
        );
    }
    for _ in 0..3 {
        run(
            connection,
            "SELECT id FROM lab.users WHERE country = ? ALLOW FILTERING",
            vec![text("DE")],
        );
        let markers = vec!["?"; 500].join(", ");
        let many = format!("SELECT * FROM lab.products WHERE id IN ({markers})");
        run(connection, &many, (0..500).map(int).collect());
    }
    run_queue(connection);
    let element = |at: i32| format!("viewed product number {at}").into_bytes();
    for chunk in 0..10 {
        let added: Vec<Vec<u8>> = (chunk * 500..chunk * 500 + 500).map(element).collect();
        let append = "UPDATE lab.profiles SET history = history + ? WHERE id = ?";
        run(connection, append, vec![list(&added), int(1)]);
    }
    let insert = "INSERT INTO lab.clicks (page, id, body) VALUES (?, ?, ?)";
    for round in 0..5 {
        let row = |page| bind(vec![int(page), int(round), text("c")]);
        let rows: Vec<_> = (0..50).map(row).collect();
        let requests: Vec<Request<'_>> =
            rows.iter().map(|values| Request { cql: insert, values }).collect();
        connection.run_batch(BatchKind::Unlogged, &requests).expect("a batch");
    }
}

/// Producers and a consumer: 3,000 jobs, handled in the order of their ids.
fn run_queue(connection: &mut Connection) {
    let insert = "INSERT INTO lab.jobs (queue, id, payload) VALUES (?, ?, ?)";
    let poll = "SELECT * FROM lab.jobs WHERE queue = ? LIMIT 10";
    let delete = "DELETE FROM lab.jobs WHERE queue = ? AND id = ?";
    for round in 0..30 {
        let jobs = || round * 100..round * 100 + 100;
        run_many(connection, insert, jobs().map(|id| vec![int(1), time_uuid(id), text("job")]));
        connection.run(poll, &bind(vec![int(1)])).expect("a poll");
        run_many(connection, delete, jobs().map(|id| vec![int(1), time_uuid(id)]));
    }
    connection.run(poll, &bind(vec![int(1)])).expect("a poll");
}
