//! A script of users and statements (`script.txt`), with the server's results.
//!
//! `HELENUS_CASSANDRA_AUTH=host:port` runs it on a new server with password authentication instead;
//! with `BLESS=cassandra` the results are written into the script.

mod client;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use client::Client;
use storage::clock::{Clock as _, SystemClock, VirtualClock};

use crate::Database;
use crate::Options;
use crate::Parameters;
use crate::ResultMessage;
use crate::Session;
use crate::Settings;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/session/auth/tests/script.txt");

/// A result, formatted line by line.
type ResponseLines = Vec<String>;

/// A server that the script runs on.
trait TestServer {
    fn ask(&mut self, user: &str, statement: &str) -> ResponseLines;
}

#[test]
fn users_may_do_what_was_granted_to_them() {
    let named = std::env::var("HELENUS_CASSANDRA_AUTH").ok();
    let bless = std::env::var("BLESS").is_ok_and(|author| author == "cassandra");
    let mut server: Box<dyn TestServer> = match &named {
        Some(address) => {
            Box::new(RemoteServer { address: address.clone(), clients: HashMap::new() })
        }
        None => Box::new(LocalServer::new()),
    };
    let (mut new, mut wrong) = (String::new(), String::new());
    let script = std::fs::read_to_string(SCRIPT).expect("the script is there");
    let mut lines = script.lines().peekable();
    while let Some(line) = lines.next() {
        new.push_str(line);
        new.push('\n');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (user, statement) = line.split_once(' ').expect("a user and a statement");
        let mut expected = Vec::new();
        while let Some(answer) = lines.peek().and_then(|line| line.strip_prefix("    ")) {
            expected.push(answer.to_owned());
            lines.next();
        }
        let response = server.ask(user, statement);
        for line in &response {
            let _ = writeln!(new, "    {line}");
        }
        if response != expected {
            let _ = writeln!(wrong, "{line}\n  expected {expected:#?}\n  response {response:#?}");
        }
    }
    if bless && named.is_some() {
        std::fs::write(SCRIPT, new).expect("the script can be written");
        return;
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// This engine.
struct LocalServer {
    database: Database,
    clock: Arc<VirtualClock>,
    sessions: HashMap<String, Session>,
}

impl LocalServer {
    fn new() -> Self {
        let settings = Settings { authentication: true, ..Settings::default() };
        let clock = Arc::new(VirtualClock::new(SystemClock.now_micros()));
        let options = Options { settings, clock: clock.clone(), ..Options::default() };
        let database = Database::open_in_memory(options).expect("a database in memory opens");
        Self { database, clock, sessions: HashMap::new() }
    }
}

impl TestServer for LocalServer {
    fn ask(&mut self, user: &str, statement: &str) -> ResponseLines {
        let response = self.query(user, statement);
        // As much time passes as between the statements to a server.
        self.clock.advance(pause_after(statement));
        response
    }
}

impl LocalServer {
    fn query(&mut self, user: &str, statement: &str) -> ResponseLines {
        if !self.sessions.contains_key(user) || statement == "LOGIN" {
            let mut session = self.database.session();
            let (name, password) = user.split_once('/').unwrap_or((user, user));
            if let Err(refusal) = session.login(name, password) {
                return vec![format!("{:04x} {}", refusal.code.number(), refusal.message)];
            }
            self.sessions.insert(user.to_owned(), session);
        }
        if statement == "LOGIN" {
            return Vec::new();
        }
        let session = self.sessions.get_mut(user).expect("it was just made");
        let answer = match session.query(statement, &Parameters::default()) {
            Ok(answer) => answer,
            Err(refusal) => {
                return vec![format!("{:04x} {}", refusal.code.number(), refusal.message)];
            }
        };
        let mut response: ResponseLines =
            answer.warnings.iter().map(|text| format!("warned: {text}")).collect();
        if let ResultMessage::Rows(rows) = &answer.outcome {
            let names: Vec<_> = rows.columns.iter().map(|column| &*column.name).collect();
            response.push(names.join(" | "));
            response.extend(rows.iter().map(|row| render_row(&row)));
        }
        response
    }
}

/// A row in the format of the script.
fn render_row(row: &[Option<&[u8]>]) -> String {
    let value = |value: Option<&[u8]>| match value {
        None => "null".to_owned(),
        Some(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains(char::is_control) => text.to_owned(),
            _ => bytes.iter().fold("0x".to_owned(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            }),
        },
    };
    row.iter().copied().map(value).collect::<Vec<_>>().join(" | ")
}

/// A Cassandra server.
struct RemoteServer {
    address: String,
    clients: HashMap<String, Client>,
}

impl TestServer for RemoteServer {
    fn ask(&mut self, user: &str, statement: &str) -> ResponseLines {
        if !self.clients.contains_key(user) || statement == "LOGIN" {
            match Client::login(&self.address, user) {
                Ok(client) => self.clients.insert(user.to_owned(), client),
                Err(refusal) => return vec![refusal],
            };
        }
        if statement == "LOGIN" {
            return Vec::new();
        }
        let client = self.clients.get_mut(user).expect("it was just made");
        let response = client.query(statement);
        std::thread::sleep(pause_after(statement));
        response
    }
}

/// How long to wait after a statement: the server caches roles for two seconds, and here
/// permissions for a tenth of a second. Two changes of roles take the time after which a password
/// can be changed again.
fn pause_after(statement: &str) -> Duration {
    let first = statement.split(' ').next().unwrap_or_default();
    let is_of_role = ["ROLE", "USER"].iter().any(|word| statement.contains(word));
    let is_membership = matches!(first, "GRANT" | "REVOKE") && !statement.contains(" ON ");
    let millis = match first {
        "LIST" | "SELECT" | "LOGIN" => 0,
        _ if is_of_role || is_membership => 2600,
        _ => 150,
    };
    Duration::from_millis(millis)
}
