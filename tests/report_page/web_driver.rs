//! A small client of the `WebDriver` protocol: JSON over HTTP, to a `chromedriver` of our own.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::print_uncaptured;

/// Names of the browser.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one window, driven by a process that ends with it.
pub(super) struct WebDriver {
    process: Child,
    port: u16,
    session: String,
    browser: PathBuf,
}

impl WebDriver {
    /// Starts a browser that reaches no network; `None`, loudly, where there is none.
    pub(super) fn start() -> Option<Self> {
        let browser = BROWSERS.iter().find_map(|name| find_program(name));
        let (Some(browser), Some(driver)) = (browser, find_program("chromedriver")) else {
            print_uncaptured(
                "SKIPPED: HTML pages in a browser: no chromium and chromedriver (Debian: chromium, chromium-driver)",
            );
            return None;
        };
        let mut process = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let port = read_port(&mut process);
        let mut browser_session = Self { process, port, session: String::new(), browser };
        let arguments = [
            "--headless=new",
            // Root may only start it so, and tests run in containers.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--window-size=1280,900",
        ];
        let answer = browser_session.request(
            "POST",
            "",
            &json!({ "capabilities": { "alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": { "binary": browser_session.browser, "args": arguments },
                "goog:loggingPrefs": { "browser": "ALL" },
            } } }),
        );
        let session = answer["sessionId"].as_str().expect("a session");
        session.clone_into(&mut browser_session.session);
        Some(browser_session)
    }

    /// Opens a file and waits until it is loaded.
    pub(super) fn open(&self, file: &Path) {
        self.post("/url", &json!({ "url": format!("file://{}", file.display()) }));
    }

    /// Runs a script with an argument and returns its value.
    pub(super) fn run(&self, script: &str, argument: &Value) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [argument] }))
    }

    /// What the console has said since it was asked.
    pub(super) fn read_console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["message"].to_string()).collect()
    }

    /// Presses a key so many times.
    pub(super) fn press(&self, key: char, times: usize) {
        let stroke =
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let strokes: Vec<&Value> = stroke.iter().cycle().take(2 * times).collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("/actions", &json!({ "actions": [keyboard] }));
    }

    /// A file as it is printed: by a browser of its own, since `chromedriver` gives up after ten seconds on a busy machine.
    pub(super) fn print(&self, file: &Path) -> Vec<u8> {
        let paper = file.with_extension("pdf");
        let mut option = OsString::from("--print-to-pdf=");
        option.push(&paper);
        let mut browser = Command::new(&self.browser);
        browser.args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ]);
        browser.arg(option).arg(format!("file://{}", file.display()));
        let output = browser.output().expect("the browser runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        std::fs::read(paper).unwrap_or_else(|error| panic!("{error}: {errors}"))
    }

    /// Sends a command of the browser's own protocol.
    pub(super) fn send(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        self.request("POST", command, body)
    }

    /// Sends a command and returns the value of its answer.
    fn request(&self, method: &str, command: &str, body: &Value) -> Value {
        let path = match self.session.as_str() {
            "" => "/session".to_owned(),
            session => format!("/session/{session}{command}"),
        };
        let body = body.to_string();
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .expect("the command can be sent");
        let answer: Value =
            serde_json::from_slice(&read_body(stream)).expect("chromedriver answers with JSON");
        let value = answer["value"].clone();
        assert!(value["error"].is_null(), "{method} {command}: {}", value["message"]);
        value
    }
}

impl Drop for WebDriver {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.request("DELETE", "", &json!({}));
        }
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The program of that name on the path.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH");
    let folders = std::env::split_paths(path.as_deref().unwrap_or(OsStr::new("")));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// The port that chromedriver names once it listens.
fn read_port(process: &mut Child) -> u16 {
    let output = process.stdout.take().expect("its output is piped");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("successfully on port")).expect("it starts");
    // Its later output is drained, so that it never waits for us.
    std::thread::spawn(move || lines.for_each(drop));
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a port")
}

/// The body of an HTTP answer, which has a length or ends with the connection.
fn read_body(stream: TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(stream);
    let mut length = None;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let mut body = Vec::new();
    match length {
        Some(length) => reader.take(length).read_to_end(&mut body),
        None => reader.read_to_end(&mut body),
    }
    .expect("a body");
    body
}
