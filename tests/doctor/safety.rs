//! What `helenus doctor` must never do: write, read tables of users, ask too much, or show values.

use std::fs;
use std::time::{Duration, Instant};

use cluster::{ConnectionOptions, SystemReader, check_read_only};

use super::laboratory::{SECRET, SECRET_KEY};
use super::{helenus, laboratory};
use crate::clients::Server;

/// A password that is in the environment and in files.
const PASSWORD: &str = "hunter2-do-not-show";

fn reader(server: &Server) -> SystemReader {
    let options = ConnectionOptions::from_contact_points(&server.address.to_string());
    SystemReader::open(&options.expect("an address")).expect("the server listens")
}

#[test]
fn every_statement_is_on_the_allow_list() {
    let plan = helenus(&["doctor", "--plan"]);
    let plan = String::from_utf8_lossy(&plan.stdout);
    assert!(plan.lines().count() > 20, "{plan}");
    for line in plan.lines() {
        let at = line.find("SELECT").unwrap_or_else(|| panic!("{line}"));
        assert_eq!(check_read_only(&line[at..]), Ok(()), "{line}");
    }
}

#[test]
fn what_is_not_on_the_allow_list_is_not_sent() {
    let server = Server::start();
    let mut reader = reader(&server);
    for cql in [
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "SELECT * FROM shop.orders LIMIT 1",
        "SELECT * FROM system_views.settings",
        "SELECT * FROM system_auth.roles LIMIT 1",
    ] {
        let error = reader.read(0, cql).expect_err(cql);
        assert!(error.message.starts_with("not sent"), "{cql}: {error}");
    }
    assert_eq!(reader.requests(), 0);
}

#[test]
fn rows_and_rate_are_bounded() {
    let server = Server::start();
    let mut reader = reader(&server);
    let start = Instant::now();
    for _ in 0..10 {
        let rows = reader.read(0, "SELECT * FROM system_schema.columns LIMIT 700").expect("rows");
        assert!(rows.rows.len() <= 700);
    }
    // Each statement takes two pages, and each page waits for its turn.
    let (requests, elapsed) = (reader.requests(), start.elapsed());
    assert!(requests >= 10, "{requests}");
    let pause = Duration::from_millis(20) * u32::try_from(requests - 1).unwrap_or(1);
    assert!(elapsed >= pause, "{requests} requests in {elapsed:?}");
}

#[test]
fn no_table_of_users_is_read() {
    let Some((laboratory, _)) = laboratory() else { return };
    let home = &laboratory.home;
    let log = home.folder().join("logs/audit.log");
    home.nodetool(&[
        "enableauditlog",
        "--logger",
        "FileAuditLogger",
        "--included-keyspaces",
        "lab",
    ]);
    let before = fs::metadata(&log).expect("the audit log").len();
    let output = helenus(&["doctor", "--on", &laboratory.address.to_string()]);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    home.nodetool(&["disableauditlog"]);
    assert_eq!(fs::metadata(&log).expect("the audit log").len(), before);
}

#[test]
fn no_value_of_user_data_is_shown() {
    let Some((laboratory, folder)) = laboratory() else { return };
    let (address, folder) = (laboratory.address.to_string(), folder.to_string_lossy());
    let page = std::env::temp_dir().join(format!("helenus-doctor-{}.html", std::process::id()));
    let page_name = page.to_string_lossy();
    for source in [vec!["--on", address.as_str()], vec![&*folder]] {
        for form in
            [&[][..], &["--full"], &["--json"], &["--format", "sarif"], &["--html", &page_name]]
        {
            let arguments = [&["doctor"][..], &source, form].concat();
            let output = helenus(&arguments);
            let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
            shown.push_str(&String::from_utf8_lossy(&output.stderr));
            shown.push_str(&fs::read_to_string(&page).unwrap_or_default());
            for value in [SECRET, SECRET_KEY, "user77@example.com"] {
                assert!(!shown.contains(value), "{arguments:?} shows {value}");
            }
        }
    }
    let _ = fs::remove_file(page);
}

#[test]
fn no_secret_is_in_any_output() {
    let folder = std::env::temp_dir().join(format!("helenus-secrets-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let yaml = format!(
        "cluster_name: x\nnum_tokens: 16\npartitioner: org.apache.cassandra.dht.Murmur3Partitioner\nclient_encryption_options:\n    enabled: true\n    keystore: conf/.keystore\n    keystore_password: {PASSWORD}\nserver_encryption_options:\n    truststore_password: {PASSWORD}\n"
    );
    fs::write(folder.join("cassandra.yaml"), yaml).expect("a file");
    let server = Server::start();
    let address = server.address.to_string();
    let folder_name = folder.to_string_lossy();
    for arguments in [
        vec!["doctor", &*folder_name, "--json"],
        vec!["doctor", &*folder_name, "--full"],
        vec!["doctor", "--on", &address, "--json"],
        vec!["doctor", "--on", "127.0.0.1:1", "--json"],
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_helenus"))
            .args(&arguments)
            .env("HELENUS_USER", "me")
            .env("HELENUS_PASSWORD", PASSWORD)
            .output()
            .expect("helenus can be run");
        for stream in [&output.stdout, &output.stderr] {
            let shown = String::from_utf8_lossy(stream);
            assert!(!shown.contains(PASSWORD), "{arguments:?}: {shown}");
        }
    }
    fs::remove_dir_all(&folder).expect("it is ours");
}
