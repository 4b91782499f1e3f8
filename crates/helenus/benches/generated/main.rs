//! Generated code against code that was written by hand: the same statements, driver, server and run.
//!
//! ```text
//! cargo bench -p helenus --bench generated -- python java go typescript rust
//! ```
//!
//! Without names, every language whose tools are installed. A program of each language (`python/`,
//! `java/` and so on) has both sides in one process, each with its own session. The rounds of the
//! two take turns, so that both see the same machine; the overhead is the median of the rounds.
//! `HELENUS_ROUNDS` (51) is their number, `HELENUS_SECONDS` (0.2) how long each side of one takes:
//! many short ones, since other work on the machine disturbs both sides of a short one alike.
//! `HELENUS` names another build of the program, which is the server then.
//!
//! The tables are those of docs/GENERATE.md, and stand at the end; what is measured is shown on
//! standard error meanwhile.
//!
//! The rate and the CPU time of the client are measured with 32 calls in flight, the latencies with
//! one. On a machine with other work, the CPU time is the figure to look at. The last row is a read of
//! 24 hours in buckets of an hour through a proxy that holds each answer back for 2 ms: the
//! generated code reads the buckets in parallel, the other one after the other. (The test hooks of
//! the server would not do: a statement that waits there has a thread of its own, of which there are
//! four on two processors.)

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark may panic on errors")]

mod comparison;
mod delay_proxy;
mod facts;
mod program;
#[expect(dead_code, reason = "the other benchmark uses more of it")]
#[path = "../server/process.rs"]
mod server_process;
mod toolchain;

use std::path::{Path, PathBuf};
use std::time::Duration;

use comparison::{CALLS_HEAD, Comparison, RANGE_HEAD};
use program::Program;
use server_process::ServerProcess;
use toolchain::Toolchain;

/// What is called: a name, and that of the programs.
const ROWS: [(&str, &str); 3] =
    [("point read", "read"), ("slice of 50 rows", "slice"), ("write to three tables", "write")];
const IN_FLIGHT: usize = 32;
/// How long an answer is held back in the last row.
const DELAY: Duration = Duration::from_millis(2);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let names: Vec<_> = arguments.iter().filter(|it| !it.starts_with('-')).collect();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("generated");
    let mut tables = Tables::default();
    let load = read_load();
    for toolchain in Toolchain::ALL {
        if !names.is_empty() && !names.iter().any(|name| *name == toolchain.name()) {
            continue;
        }
        match toolchain.find_missing_tool() {
            Some(tool) => println!("SKIPPED: {}: `{tool}` does not run", toolchain.name()),
            None => compare(toolchain, &folder.join(toolchain.name()), &mut tables),
        }
    }
    println!("\nload average: {load} before, {} after\n", read_load());
    println!("{CALLS_HEAD}\n{}\n", tables.calls.join("\n"));
    println!("{RANGE_HEAD}\n{}", tables.ranges.join("\n"));
}

/// The rows of the tables.
#[derive(Default)]
struct Tables {
    calls: Vec<String>,
    ranges: Vec<String>,
}

/// How many processes ran or waited in the last minute.
fn read_load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn compare(toolchain: Toolchain, folder: &Path, tables: &mut Tables) {
    eprintln!("\n{}: building in {}", toolchain.name(), folder.display());
    let command = toolchain.build(folder);
    let init = facts::write_init_file(folder);
    let data = folder.join("data");
    let _ = std::fs::remove_dir_all(&data);
    let options = ["--init", init.to_str().unwrap()].map(str::to_owned);
    let mut server = ServerProcess::start(&data, "periodic", &options);
    let delayed = delay_proxy::start(&server.address, DELAY);
    let mut program = Program::start(command, &server.address, &delayed);
    for (_, row) in ROWS {
        program.warm_up(row, IN_FLIGHT);
    }
    for (title, row) in ROWS {
        let rates = program.measure(row, IN_FLIGHT);
        let latencies = program.measure(row, 1);
        let row = Comparison::new(&rates, &latencies).print_row(toolchain.name(), title);
        eprintln!("{row}");
        tables.calls.push(row);
    }
    let row = comparison::print_range_row(toolchain.name(), &program.measure("range", 1));
    eprintln!("{row}");
    tables.ranges.push(row);
    program.stop();
    server.stop();
    let _ = std::fs::remove_dir_all(data);
}
