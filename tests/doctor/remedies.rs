//! What `helenus doctor` advises for each pathology: the remedies of the anti-pattern catalogue, and
//! statements that a server accepts.

use serde_json::Value;

use super::laboratory::SCHEMA;
use super::{SICK, helenus, laboratory};

/// For each pathology, what its remedies must say or create, as the catalogue has it.
const REMEDIES: [(&str, &str, &[&str]); 11] = [
    // A bucket of time in the partition key.
    ("DR001", "lab.activity", &["bucket date", "PRIMARY KEY ((user_id, bucket), at)"]),
    // A TTL instead of deletions, in time windows; a shorter grace only with repair.
    (
        "DR020",
        "lab.inbox",
        &["TTL", "TimeWindowCompactionStrategy", "only if repair runs more often"],
    ),
    ("DR020", "lab.jobs", &["TTL", "TimeWindowCompactionStrategy"]),
    // A broker; or a partition for each hour and worker, whose rows expire.
    (
        "DR021",
        "lab.jobs",
        &[
            "message broker",
            "PRIMARY KEY ((queue, batch_hour, worker_id), id)",
            "default_time_to_live = 86400",
            "'compaction_window_unit': 'HOURS', 'compaction_window_size': '1'",
        ],
    ),
    // A table for the query.
    ("DR040", "lab.users", &["PRIMARY KEY ((country), id)"]),
    ("DR044", "lab.members", &["PRIMARY KEY ((email), id)", "write to both"]),
    // Parts of 20, single reads at the same time, or the data with what names it.
    ("DR045", "lab.products", &["parts of at most 20", "concurrently", "store what is needed"]),
    // A row for each element.
    ("DR004", "lab.profiles", &["PRIMARY KEY ((id), added_at)"]),
    ("DR060", "lab.clicks", &["one by one, concurrently"]),
    // 24 windows of an hour over a day.
    ("DR082", "lab.metrics", &["'compaction_window_unit': 'HOURS', 'compaction_window_size': '1'"]),
    // The frequent key is divided.
    ("DR002", "lab.tenants", &["PRIMARY KEY ((tenant, shard), id)"]),
];

/// The texts of the remedies of a finding: advice, statements and commands.
fn remedy_texts(finding: &Value) -> String {
    let remedies = finding["remedies"].as_array().expect("remedies").iter();
    let texts = remedies.flat_map(|remedy| {
        ["advice", "cql", "command"].map(|part| remedy[part].as_str().unwrap_or_default())
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The findings of both ways to look at the laboratory.
fn reports() -> Option<Vec<(&'static str, Value)>> {
    let (laboratory, folder) = laboratory()?;
    let address = laboratory.address.to_string();
    let read = |arguments: &[&str]| {
        let output = helenus(&[&["doctor", "--json"], arguments].concat());
        serde_json::from_slice(&output.stdout).expect("a report")
    };
    let folder = folder.to_string_lossy();
    Some(vec![("live", read(&["--on", &address])), ("collected", read(&[&folder]))])
}

#[test]
fn the_remedies_are_those_of_the_catalogue() {
    let Some(reports) = reports() else { return };
    let mut wrong = Vec::new();
    for (source, report) in &reports {
        for (code, table, expected) in REMEDIES {
            let findings = report["findings"].as_array().expect("findings").iter();
            let mut of_table =
                findings.filter(|finding| finding["code"] == code && finding["table"] == table);
            let texts = of_table.next().map(remedy_texts).unwrap_or_default();
            for part in expected {
                if !texts.contains(part) {
                    wrong.push(format!("{source}: {code} {table} lacks {part:?} in:\n{texts}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for (code, table) in SICK {
        assert!(REMEDIES.iter().any(|it| (it.0, it.1) == (code, table)), "{code} {table}");
    }
}

/// The statements run beside the laboratory: in a keyspace with the same tables.
#[test]
fn the_proposed_statements_are_accepted() {
    let Some(reports) = reports() else { return };
    let Some((laboratory, _)) = laboratory() else { return };
    let mut connection = laboratory.connect();
    for statement in SCHEMA.split(';').filter(|text| text.contains("CREATE")) {
        let copy = statement.replace("KEYSPACE lab", "KEYSPACE tried").replace("lab.", "tried.");
        connection.run(&copy, &[]).expect("the schema is valid");
    }
    let mut tried = Vec::new();
    let mut refused = Vec::new();
    for finding in
        reports.iter().flat_map(|(_, report)| report["findings"].as_array().expect("findings"))
    {
        let remedies = finding["remedies"].as_array().expect("remedies").iter();
        for cql in remedies.filter_map(|remedy| remedy["cql"].as_str()) {
            if tried.contains(&cql) {
                continue;
            }
            tried.push(cql);
            if let Err(error) = connection.run(&cql.replace("lab.", "tried."), &[]) {
                refused.push(format!("{error}: {cql}"));
            }
        }
    }
    connection.run("DROP KEYSPACE tried", &[]).expect("it is there");
    assert!(tried.len() >= 10, "{tried:?}");
    assert!(refused.is_empty(), "\n{}", refused.join("\n"));
}
