//! Passwords reach neither the files nor the traces.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use storage::DataDirectory;
use storage::clock::{Clock as _, SystemClock, VirtualClock};
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::{Disk, MemoryDisk};

use crate::{Database, Options, Parameters, ResultMessage, ResultSet, Settings};

const SECRETS: [&str; 4] = ["first-secret", "second-secret", "third-secret", "fourth-secret"];

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn passwords_reach_neither_files_nor_traces() {
    let disk = MemoryDisk::new();
    let log = LogOptions { sync: SyncMode::Batch, ..LogOptions::default() };
    let directory = DataDirectory { disk: Arc::new(disk.clone()), folder: "/data".into(), log };
    let settings = Settings { authentication: true, ..Settings::default() };
    let clock = Arc::new(VirtualClock::new(SystemClock.now_micros()));
    let options = Options {
        directory: Some(directory),
        settings,
        clock: clock.clone(),
        ..Options::default()
    };
    let database = Database::open(options).unwrap();
    let mut session = database.session();
    session.login("cassandra", "cassandra").unwrap();
    let traced = Parameters { tracing: true, ..Parameters::default() };
    for text in [
        "CREATE ROLE one WITH PASSWORD = 'first-secret' AND LOGIN = true",
        "ALTER ROLE one WITH PASSWORD = 'second-secret'",
        "CREATE USER two WITH PASSWORD 'third-secret' NOSUPERUSER",
        "ALTER USER two WITH PASSWORD 'fourth-secret'",
        "ADD IDENTITY 'someone' TO ROLE 'one'",
    ] {
        session.query(text, &traced).unwrap_or_else(|error| panic!("{text}: {error}"));
        // A password cannot be changed again at once.
        clock.advance(Duration::from_secs(5));
    }
    let refused = session.query("ALTER ROLE none WITH PASSWORD = 'first-secret'", &traced);
    assert!(!has(refused.unwrap_err().message.as_bytes(), SECRETS[0]));
    let wrong = database.session().login("one", "first-secret").unwrap_err();
    assert!(!has(wrong.message.as_bytes(), SECRETS[0]));
    database.session().login("one", "second-secret").unwrap();
    let mut seen = 0;
    for table in ["sessions", "events"] {
        let text = format!("SELECT * FROM system_traces.{table}");
        let answer = session.query(&text, &Parameters::default()).unwrap();
        let ResultMessage::Rows(rows) = answer.outcome else { panic!("no rows") };
        for row in ResultSet::iter(&rows) {
            for value in row.into_iter().flatten() {
                assert!(!SECRETS.iter().any(|secret| has(value, secret)), "{table}: {value:?}");
                seen += usize::from(has(value, "PASSWORD *******"));
            }
        }
    }
    assert!(seen >= 4, "the statements are traced, {seen} times");
    database.checkpoint().unwrap();
    session.query("ALTER ROLE one WITH PASSWORD = 'third-secret'", &traced).unwrap();
    drop((session, database));
    let folder = Path::new("/data");
    for name in disk.list(folder).unwrap() {
        let mut bytes = Vec::new();
        disk.read(&folder.join(&name), 0).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(!SECRETS.iter().any(|secret| has(&bytes, secret)), "{name}");
    }
}
