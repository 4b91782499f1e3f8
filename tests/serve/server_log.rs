//! The log of `helenus serve`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use super::process::{ServerProcess, connect, rows, temporary_folder};
use crate::protocol::Options;

#[test]
fn statements_are_logged_without_values() {
    let folder = temporary_folder("serve-log");
    let log = folder.join("log.json");
    let arguments = ["--port", "0", "--json", "-v", "--log-format", "json", "--log"];
    let server = ServerProcess::start(&[&arguments[..], &[log.to_str().unwrap()]].concat(), &[]);
    let ready: serde_json::Value = serde_json::from_str(&server.ready).unwrap();
    let mut connection = connect(u16::try_from(ready["port"].as_u64().unwrap()).unwrap());
    for text in [
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE ks.t (k text PRIMARY KEY, v int)",
        "INSERT INTO ks.t (k, v) VALUES ('hidden', 4711)",
        "CREATE ROLE r WITH PASSWORD = 'hidden'",
    ] {
        connection.query(text, &Options::default()).unwrap();
    }
    assert_eq!(rows(&mut connection, "SELECT count(*) FROM ks.t").len(), 1);
    let (code, _, errors) = server.stop();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let text = fs::read_to_string(&log).unwrap();
    assert!(!text.contains("hidden") && !text.contains("4711"), "{text}");
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let warning = "Aggregation query used without partition key";
    assert!(events.iter().any(|event| event["level"] == "WARN" && event["message"] == warning));
    let insert = "INSERT INTO ks.t (k, v) VALUES (?, ?)";
    let insert = events.iter().find(|event| event["statement"] == insert).expect(&text);
    assert_eq!((&insert["outcome"], &insert["level"]), (&"done".into(), &"DEBUG".into()));
    assert!(insert["micros"].is_u64());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn slow_statements_are_logged() {
    let folder = temporary_folder("serve-slow");
    let config = folder.join("cassandra.yaml");
    fs::write(&config, "slow_query_log_timeout: 50ms\n").unwrap();
    let arguments = ["--port", "0", "--json", "--test-hooks", "--config", config.to_str().unwrap()];
    let server = ServerProcess::start(&arguments, &[]);
    let ready: serde_json::Value = serde_json::from_str(&server.ready).unwrap();
    let mut connection = connect(u16::try_from(ready["port"].as_u64().unwrap()).unwrap());
    for text in [
        "INSERT INTO helenus.faults (name, delay_ms, keyspace_name) VALUES ('a', 60, 'system')",
        "SELECT key FROM system.local WHERE key = 'local'",
        "TRUNCATE helenus.faults",
    ] {
        let answer = connection.query(text, &Options::default()).unwrap();
        assert!(answer.result.is_ok(), "{text}: {:?}", answer.result);
    }
    let (_, _, errors) = server.stop();
    // On a busy machine others may be slow too.
    let slow = "WARN <SELECT key FROM system.local WHERE key = ?>, time ";
    let times = errors.lines().filter_map(|line| line.split_once(slow));
    let times: Vec<_> = times.filter_map(|(_, rest)| rest.split_once(' ')).collect();
    let [(millis, rest)] = times[..] else { panic!("{errors}") };
    assert!(millis.parse::<u32>().unwrap() >= 60, "{errors}");
    assert_eq!(rest, "msec - slow timeout 50 msec");
    fs::remove_dir_all(folder).unwrap();
}

/// A test suite may start the server with a pipe for its errors, and never read it.
#[test]
fn a_log_that_nobody_reads_delays_no_statement() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["serve", "--port", "0", "--verbose", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut ready = String::new();
    let output = server.stdout.take().expect("its output is ours");
    BufReader::new(output).read_line(&mut ready).expect("its output can be read");
    let ready: serde_json::Value = serde_json::from_str(&ready).unwrap();
    let mut connection = connect(u16::try_from(ready["port"].as_u64().unwrap()).unwrap());
    // More than twice what a pipe holds.
    for _ in 0..1500 {
        assert_eq!(rows(&mut connection, "SELECT key FROM system.local").len(), 1);
    }
    server.kill().unwrap();
    server.wait().unwrap();
    let mut errors = String::new();
    server.stderr.take().expect("its errors are ours").read_to_string(&mut errors).unwrap();
    assert!(errors.contains("SELECT key FROM system.local"), "{errors}");
}

#[test]
fn large_partitions_are_logged() {
    let folder = temporary_folder("serve-large");
    let config = folder.join("cassandra.yaml");
    fs::write(&config, "partition_size_warn_threshold: 10KiB\n").unwrap();
    let server = ServerProcess::start(&["--port", "0", "--config", config.to_str().unwrap()], &[]);
    let mut connection = connect(server.port());
    let mut run = |text: &str| {
        let answer = connection.query(text, &Options::default()).unwrap();
        assert!(answer.result.is_ok(), "{text}: {:?}", answer.result);
    };
    run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    run("CREATE TABLE ks.t (k text, d int, c int, v text, PRIMARY KEY ((k, d), c))");
    for row in 0..12 {
        let (value, small) = ("x".repeat(1024), row < 2);
        run(&format!("INSERT INTO ks.t (k, d, c, v) VALUES ('la''rge', 7, {row}, '{value}')"));
        if small {
            run(&format!("INSERT INTO ks.t (k, d, c, v) VALUES ('small', 7, {row}, '{value}')"));
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(2500));
    let (_, _, errors) = server.stop();
    let found: Vec<_> = errors.lines().filter(|line| line.contains("partition_size")).collect();
    let [line] = found[..] else { panic!("{errors}") };
    assert!(
        line.contains("WARN Guardrail partition_size violated: Partition ks.t:la'rge:7 has size 1"),
        "{line}"
    );
    assert!(line.ends_with(
        "this exceeds the warning threshold of 10240. Too large partitions can cause performance problems."
    ));
    fs::remove_dir_all(folder).unwrap();
}
