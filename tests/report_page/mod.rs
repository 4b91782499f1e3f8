//! The HTML pages of `design -o`, `estimate --html`, `check --html` and `doctor --html` in a real browser: headless
//! Chromium, driven over `WebDriver`. Without it this test says so and is skipped.
//!
//! One browser for all pages. `checks.js` and `figures.js` run in a page and return what they found; what the charts hold is
//! compared with `design.json` here.

mod figures;
mod forty_tables;
mod web_driver;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::examples::root;
use web_driver::WebDriver;

/// A page of so many tables is smaller.
const PAGE_BYTES_MAX: u64 = 1_000_000;
/// And it is ready after less work of the browser: the time of its thread, since the machine may be busy with other tests.
const LOAD_SECONDS_MAX: f64 = 1.0;
/// The Tab key.
const TAB: char = '\u{e004}';

/// Names and constants that would be elements, scripts or the end of an attribute if they were not escaped.
const HOSTILE: &str = r#"
-- @keyspace hostile  @replication dc1:3  @nodes 6
-- @rows 1M  @grows 1k/day
CREATE TABLE "<script>alert(1)</script>" (
  id uuid PRIMARY KEY,
  "</td><img src=x onerror=alert(1)>" text NOT NULL,
  state text NOT NULL DEFAULT '</pre><script>hacked = 1</script>'
);
-- name: ByName :many
-- @rate 10/s
SELECT id, "</td><img src=x onerror=alert(1)>" FROM "<script>alert(1)</script>"
WHERE "</td><img src=x onerror=alert(1)>" = ? AND state = '</pre><script>hacked = 1</script>"&amp;';
-- name: Remove :exec
-- @rate 1/s
DELETE FROM "<script>alert(1)</script>" WHERE id = ?;
"#;

#[test]
fn pages_work_in_a_browser() {
    let Some(browser) = WebDriver::start() else { return };
    let folder = Folder::new("pages");
    let report = design(&folder, "killrvideo", &root().join("examples/killrvideo.sql"), &[]);
    let mut faults = check_page(&browser, &report);
    let json = read_json(&report.with_file_name("design.json"));
    faults.extend(figures::compare(&browser.run(include_str!("figures.js"), &Value::Null), &json));
    faults.extend(check_keyboard(&browser));
    faults.extend(check_diagram(&browser, &json));
    faults.extend(check_paper(&browser, &report));
    for page in other_pages(&folder) {
        faults.extend(check_page(&browser, &page));
    }
    let hostile = folder.write("hostile.sql", HOSTILE);
    let page = design(&folder, "hostile", &hostile, &[]);
    faults.extend(check_page(&browser, &page));
    let hacked = browser.run("return typeof hacked", &Value::Null);
    if hacked != "undefined" {
        faults.push("a constant of the model became a script".to_owned());
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_page_of_forty_tables_is_small_and_opens_at_once() {
    let folder = Folder::new("forty");
    let model = folder.write("forty.sql", &forty_tables::model());
    // What a proof and a study of assumptions add is a table each.
    let page = design(&folder, "forty", &model, &["--no-prove", "--assumptions", "all"]);
    let tables = read_json(&page.with_file_name("design.json"))["tables"].as_array().unwrap().len();
    assert!(tables >= 40, "{tables} tables");
    let bytes = fs::metadata(&page).unwrap().len();
    assert!(bytes < PAGE_BYTES_MAX, "{bytes} bytes");
    let Some(browser) = WebDriver::start() else { return };
    browser.send("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
    let load = || {
        browser.open(&page);
        let metrics = browser.send("Performance.getMetrics", &json!({}));
        let metrics = metrics["metrics"].as_array().expect("a list of metrics");
        let work = metrics.iter().find(|metric| metric["name"] == "TaskDuration");
        work.and_then(|metric| metric["value"].as_f64()).expect("a duration")
    };
    // Each file gets a process of its own, so nothing is left of the load before.
    let fastest = (0..3).map(|_| load()).fold(f64::INFINITY, f64::min);
    assert!(fastest > 0.0 && fastest < LOAD_SECONDS_MAX, "{fastest} s");
    let faults = check_page(&browser, &page);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with a page: on a screen and a phone, in light and dark.
fn check_page(browser: &WebDriver, page: &Path) -> Vec<String> {
    let name = page.display().to_string();
    let mut faults = Vec::new();
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light")] {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
        browser.send("Emulation.setDeviceMetricsOverride", &size);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        browser.send("Emulation.setEmulatedMedia", &json!({ "features": features }));
        browser.open(page);
        let found = browser.run(include_str!("checks.js"), &Value::Null);
        let found = found.as_array().expect("a list of faults").clone();
        faults.extend(found.iter().map(|it| format!("{name} ({width}, {scheme}): {it}")));
        faults.extend(browser.read_console().iter().map(|it| format!("{name}: console: {it}")));
    }
    browser.send("Emulation.clearDeviceMetricsOverride", &json!({}));
    browser.open(page);
    faults.extend(check_names(browser).iter().map(|fault| format!("{name}: {fault}")));
    faults
}

/// What a screen reader can stop at has a name.
fn check_names(browser: &WebDriver) -> Vec<String> {
    browser.send("Accessibility.enable", &json!({}));
    let tree = browser.send("Accessibility.getFullAXTree", &json!({}));
    browser.send("Accessibility.disable", &json!({}));
    let nodes = tree["nodes"].as_array().expect("the tree has nodes");
    assert!(nodes.len() > 20, "{} nodes", nodes.len());
    let is_focusable = |node: &&Value| {
        let properties = node["properties"].as_array().cloned().unwrap_or_default();
        properties.iter().any(|it| it["name"] == "focusable" && it["value"]["value"] == true)
    };
    let unnamed = nodes.iter().filter(is_focusable).filter(|node| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        // The document and its main part are what they contain.
        !matches!(role, "RootWebArea" | "main" | "generic")
            && node["name"]["value"].as_str().unwrap_or_default().trim().is_empty()
    });
    unnamed.map(|node| format!("no name for a screen reader: {}", node["role"])).collect()
}

/// The Tab key visits everything in the order of the page, the link that skips the contents first.
fn check_keyboard(browser: &WebDriver) -> Vec<String> {
    browser.run(
        "document.activeElement.blur(); scrollTo(0, 0); window.visited = [];
         addEventListener('focusin', (event) => visited.push(event.target));",
        &Value::Null,
    );
    browser.press(TAB, 60);
    let found = browser.run(
        "const faults = [];
         if (visited.length < 60) faults.push(`Tab reaches ${visited.length} elements`);
         if (!visited[0].classList.contains('skip')) faults.push('Tab begins at ' + visited[0].outerHTML.slice(0, 80));
         for (let at = 1; at < visited.length; at++) {
           if (!(visited[at - 1].compareDocumentPosition(visited[at]) & Node.DOCUMENT_POSITION_FOLLOWING)) {
             faults.push('Tab goes back to ' + visited[at].outerHTML.slice(0, 80));
           }
         }
         return faults",
        &Value::Null,
    );
    to_texts(&found)
}

/// The diagram zooms, leads to the descriptions of tables and queries, and shows where they are.
fn check_diagram(browser: &WebDriver, design: &Value) -> Vec<String> {
    let names = |list: &str| -> Vec<Value> {
        let all = design[list].as_array().expect("a list");
        all.iter().map(|it| it["name"].clone()).collect()
    };
    let found = browser.run(
        "const faults = [];
         const [tables, queries] = arguments[0];
         const frame = document.querySelector('.diagram'), picture = frame.querySelector('svg');
         const width = () => Number(picture.getAttribute('width'));
         const tool = (name) => document.querySelector(`[data-zoom=${name}]`);
         const fitted = width();
         if (fitted > frame.clientWidth) faults.push('the diagram does not fit');
         tool('in').click();
         if (!(width() > fitted)) faults.push('it does not zoom in');
         tool('whole').click();
         if (width() !== picture.viewBox.baseVal.width) faults.push('it does not show its size');
         tool('out').click(); tool('fit').click();
         if (width() !== fitted) faults.push('it does not fit again');
         for (const [kind, names] of [['table', tables], ['query', queries]]) {
           for (const name of names) {
             const part = [...picture.querySelectorAll(`[role=link][data-${kind}]`)]
               .find((it) => it.id.startsWith(kind) && it.getAttribute('data-' + kind) === name);
             const article = document.querySelector(`article[data-${kind}=\"${CSS.escape(name)}\"]`);
             if (!article) { faults.push(`${kind} ${name} is not described`); continue; }
             if (!part) { faults.push(`${kind} ${name} is no link in the diagram`); continue; }
             part.dispatchEvent(new MouseEvent('click', { bubbles: true }));
             if (location.hash !== '#' + article.id) faults.push(`${kind} ${name} leads to ${location.hash}`);
             if (!article.contains(document.activeElement)) faults.push(`${name} does not get the focus`);
             article.querySelector('a.to-diagram').click();
             if (!part.classList.contains('lit')) faults.push(`${kind} ${name} does not stand out`);
             if (document.activeElement !== part) faults.push(`${kind} ${name} in the diagram does not get the focus`);
           }
         }
         dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
         if (picture.querySelector('.lit')) faults.push('Escape changes nothing');
         return faults",
        &json!([names("tables"), names("reads")]),
    );
    to_texts(&found)
}

/// The page can be printed, with what is closed on the screen.
fn check_paper(browser: &WebDriver, page: &Path) -> Vec<String> {
    let paper = browser.print(page);
    let mut faults = Vec::new();
    if !paper.starts_with(b"%PDF-") || paper.len() < 50_000 {
        faults.push(format!("is printed as {} bytes", paper.len()));
    }
    let opened = browser.run(
        "dispatchEvent(new Event('beforeprint'));
         const closed = [...document.querySelectorAll('main details:not([open])')].filter((it) => !it.closest('.chart')).length;
         dispatchEvent(new Event('afterprint'));
         return [closed, document.querySelectorAll('main details[open]').length]",
        &Value::Null,
    );
    if opened != json!([0, 0]) {
        faults.push(format!("details closed on paper, and open after it: {opened}"));
    }
    faults
}

/// The pages of the other commands.
fn other_pages(folder: &Folder) -> Vec<PathBuf> {
    let examples = root().join("examples");
    let commands: [(&str, &[&str], PathBuf); 4] = [
        ("estimate", &[], examples.join("activity.cql")),
        (
            "estimate",
            &["--bucket", "day,month", "--shards", "1,4"],
            examples.join("killrvideo.sql"),
        ),
        ("check", &[], examples.join("mistakes.cql")),
        ("doctor", &[], examples.join("diagnostics")),
    ];
    let mut pages = Vec::new();
    for (at, (command, options, input)) in commands.into_iter().enumerate() {
        let page = folder.path.join(format!("{command}-{at}.html"));
        let mut helenus = Command::new(env!("CARGO_BIN_EXE_helenus"));
        let output =
            helenus.arg(command).arg(&input).args(options).arg("--html").arg(&page).output();
        let output = output.expect("the command runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command}: {errors}");
        pages.push(page);
    }
    pages
}

/// Designs a model and returns its report.
fn design(folder: &Folder, name: &str, model: &Path, options: &[&str]) -> PathBuf {
    let target = folder.path.join(name);
    let mut helenus = Command::new(env!("CARGO_BIN_EXE_helenus"));
    let output = helenus.arg("design").arg(model).args(options).arg("-o").arg(&target).output();
    let output = output.expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {errors}");
    target.join("report.html")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("it is written")).expect("it is JSON")
}

fn to_texts(found: &Value) -> Vec<String> {
    let found = found.as_array().expect("a list of faults");
    found.iter().map(|fault| fault.as_str().unwrap_or_default().to_owned()).collect()
}

/// A folder that is removed in the end.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("helenus-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self { path }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path.join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // What is left is in the folder for temporary files.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
