//! cqlsh: the files of `cqlsh/`, each with what it prints beside it, written by a real node (`BLESS=cassandra`).

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Server, python_environment};
use crate::cassandra;

/// What SOURCE finds.
const INSIDE: &str = "CREATE TABLE inside (k int PRIMARY KEY, v text);
INSERT INTO inside (k, v) VALUES (1, 'from a file');
SELECT * FROM inside;
";

#[test]
fn cqlsh_prints_what_it_prints_of_a_node() {
    let Some(programs) = python_environment::programs() else { return };
    let node = cassandra::node();
    let _alone = python_environment::lock_python();
    let bless = std::env::var("BLESS").is_ok_and(|author| author == "cassandra");
    let server = Server::start();
    let mut wrong = Vec::new();
    for script in scripts() {
        let expected_file = script.with_extension("txt");
        if let Some(node) = node {
            let said = run(programs, &script, node);
            if bless {
                fs::write(&expected_file, &said).expect("the expectation can be written");
            } else {
                wrong.extend(difference("the node", &script, &said));
            }
        }
        wrong.extend(difference("the server", &script, &run(programs, &script, server.address)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where what was said leaves what was expected.
fn difference(who: &str, script: &Path, said: &str) -> Option<String> {
    let expected = fs::read_to_string(script.with_extension("txt")).unwrap_or_default();
    if expected == said {
        return None;
    }
    let same = said.lines().zip(expected.lines()).take_while(|(said, wanted)| said == wanted);
    let at = same.count();
    let part = |text: &str| text.lines().skip(at).take(8).collect::<Vec<_>>().join("\n");
    let script = script.file_name().unwrap_or_default().display();
    Some(format!(
        "{script} on {who}, from line {} on:\n{}\nexpected:\n{}\n",
        at + 1,
        part(said),
        part(&expected)
    ))
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/cqlsh");
    let files = fs::read_dir(folder).expect("tests/clients/cqlsh can be read");
    let mut scripts: Vec<_> = files
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cql"))
        .collect();
    scripts.sort();
    assert!(!scripts.is_empty(), "there are no scripts for cqlsh");
    scripts
}

/// What cqlsh prints, errors last, without what differs from run to run.
fn run(programs: &Path, script: &Path, address: SocketAddr) -> String {
    let name = script.file_stem().unwrap_or_default().to_string_lossy();
    let place = std::env::temp_dir().join(format!(
        "helenus-cqlsh-{}-{name}-{}",
        std::process::id(),
        address.port()
    ));
    fs::create_dir_all(&place).expect("a folder for the files of COPY");
    fs::write(place.join("inside.cql"), INSIDE).expect("the file for SOURCE");
    let output = Command::new(programs.join("cqlsh"))
        .args([address.ip().to_string(), address.port().to_string()])
        .args(["--no-color", "--connect-timeout=60", "--request-timeout=60", "-f"])
        .arg(script)
        .current_dir(&place)
        .env("HOME", &place)
        .output()
        .expect("cqlsh runs");
    let _ = fs::remove_dir_all(&place);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let folder = script.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    let mut kept = String::new();
    for line in said.replace(&folder, "").lines().filter(|line| !is_volatile(line)) {
        kept.push_str(line.trim_end());
        kept.push('\n');
    }
    kept
}

/// Rates, versions, names, ids and times; of traces, all but that they come.
fn is_volatile(line: &str) -> bool {
    let parts = [
        "Rate:",
        " child processes",
        "cqlsh was built against",
        "Tracing session",
        "rows imported",
        "rows exported",
        "Cluster: ",
        " | 127.0.0.1 | ",
        " | source_elapsed | ",
        "-+----------------+-----------",
    ];
    parts.iter().any(|part| line.contains(part))
}
