//! A call of a tool in a process of its own, which is ended when it takes too long or too much
//! memory, or when the client cancels the call.
//!
//! The process gets the arguments as one line of JSON on its standard input, which stays open: it
//! ends with its server. It answers with one line of JSON.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use super::call_progress::CallProgress;
use super::project_root::ProjectRoot;
use super::tool::{ToolCall, ToolEntry};
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefAnswer};

/// The longest answer of a process; its own budget is far below.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// How often the limits of a process are checked.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// The limits of a call.
#[derive(Clone, Copy)]
pub(super) struct ProcessLimits {
    pub(super) time: Duration,
    pub(super) memory_bytes: f64,
}

/// The answer to a call, as the client gets it.
pub(super) struct ToolAnswer {
    pub(super) text: String,
    pub(super) data: Value,
    pub(super) is_error: bool,
}

impl From<Brief> for ToolAnswer {
    fn from(brief: Brief) -> Self {
        let BriefAnswer { text, data } = brief.finish(0);
        Self { text, data, is_error: brief.is_error }
    }
}

/// Runs one call in this process: reads the arguments and writes the answer.
pub(super) fn run_call(tool: &str, root: &Path, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    end_with_server();
    let answer = answer_call(tool, root, &line);
    let (text, data) = (answer.text, answer.data);
    let answer = json!({ "text": text, "data": data, "is_error": answer.is_error });
    writeln!(out, "{answer}")?;
    Ok(Outcome::Fine)
}

/// Ends this process as soon as its input ends, which it does with the server.
fn end_with_server() {
    std::thread::spawn(|| {
        // Nothing is sent on it any more.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        #[expect(clippy::exit, reason = "nobody waits for the answer of this process")]
        std::process::exit(Outcome::EnvironmentFailed as i32);
    });
}

fn answer_call(tool: &str, root: &Path, line: &str) -> ToolAnswer {
    let Some(tool) = ToolEntry::find(tool) else {
        return Brief::refusal(format!("unknown tool {tool}")).into();
    };
    let given: Map<String, Value> = serde_json::from_str(line).unwrap_or_default();
    let arguments = match tool.read_arguments(given) {
        Ok(arguments) => arguments,
        Err(mistakes) => return Brief::refusal(mistakes).into(),
    };
    let offset = arguments.offset();
    let answered =
        ProjectRoot::enter(root).and_then(|root| (tool.run)(&ToolCall { root: &root, arguments }));
    let brief = match answered {
        Ok(brief) => brief,
        Err(Failure::Stopped(_, message)) => Brief::refusal(message),
        Err(Failure::ReaderGone) => Brief::refusal("the answer could not be written"),
    };
    let BriefAnswer { text, data } = brief.finish(offset);
    ToolAnswer { text, data, is_error: brief.is_error }
}

/// Runs a call in a process of its own, which ends when the future is dropped.
pub(super) async fn call(
    tool: &ToolEntry,
    root: &Path,
    arguments: Map<String, Value>,
    limits: ProcessLimits,
    progress: &CallProgress,
) -> ToolAnswer {
    match start(tool, root, arguments).await {
        Ok(child) => watch(child, limits, progress).await,
        Err(error) => {
            Brief::refusal(format!("the process of the tool cannot be started: {error}")).into()
        }
    }
}

async fn start(tool: &ToolEntry, root: &Path, arguments: Map<String, Value>) -> io::Result<Child> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["mcp", "--call", tool.name, "--root"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    if let Some(input) = &mut child.stdin {
        let line = format!("{}\n", Value::Object(arguments));
        input.write_all(line.as_bytes()).await?;
        input.flush().await?;
    }
    Ok(child)
}

/// Waits for the answer of a process, within the limits.
async fn watch(mut child: Child, limits: ProcessLimits, progress: &CallProgress) -> ToolAnswer {
    let started = Instant::now();
    let id = child.id();
    let mut reported = 0;
    let stdout = child.stdout.take();
    let read = async move {
        let mut output = Vec::new();
        if let Some(stdout) = stdout {
            // What could not be read is no answer.
            let _ = stdout.take(ANSWER_BYTES_MAX).read_to_end(&mut output).await;
        }
        output
    };
    tokio::pin!(read);
    let mut ticks = tokio::time::interval(WATCH_INTERVAL);
    let ended = loop {
        tokio::select! {
            output = &mut read => break Ok(output),
            _ = ticks.tick() => {
                let elapsed = started.elapsed();
                if elapsed > limits.time {
                    break Err(describe_timeout(limits.time));
                }
                if id.and_then(read_memory).is_some_and(|bytes| bytes > limits.memory_bytes) {
                    break Err(describe_memory(limits.memory_bytes));
                }
                if elapsed.as_secs() > reported {
                    reported = elapsed.as_secs();
                    // A client that does not read must not hold up the limits.
                    let report = progress.report(elapsed.as_secs_f64());
                    let _ = tokio::time::timeout(WATCH_INTERVAL, report).await;
                }
            }
        }
    };
    // It may have ended already; then this only collects its exit code.
    let _ = child.kill().await;
    match ended {
        Err(brief) => brief.into(),
        Ok(output) => read_answer(&output).unwrap_or_else(|| {
            let message = "the tool ended without an answer; this is a defect of helenus, please report the arguments";
            Brief::refusal(message).into()
        }),
    }
}

fn read_answer(output: &[u8]) -> Option<ToolAnswer> {
    let mut answer: Value = serde_json::from_slice(output).ok()?;
    Some(ToolAnswer {
        text: answer["text"].as_str()?.to_owned(),
        is_error: answer["is_error"].as_bool()?,
        data: answer["data"].take(),
    })
}

fn describe_timeout(limit: Duration) -> Brief {
    let mut brief = Brief::refusal(format!(
        "stopped after {} s, the time limit of one call",
        limit.as_secs_f64()
    ));
    brief.next.push("Ask for less: fewer files or statements, `rules_only` for a large design. Or start `helenus mcp` with a longer --time-limit.".to_owned());
    brief
}

fn describe_memory(limit: f64) -> Brief {
    let mut brief = Brief::refusal(format!(
        "stopped: more than {}, the memory limit of one call",
        model::figures::format_bytes(limit)
    ));
    brief.next.push("Ask for less: fewer files, statements or rows. Or start `helenus mcp` with a higher --memory-limit.".to_owned());
    brief
}

/// The memory that a process has allocated, in bytes; `None` where the system does not tell.
fn read_memory(id: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    parse_memory(&status)
}

fn parse_memory(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(kibibytes * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_the_status() {
        assert_eq!(parse_memory("VmRSS:\t 9999 kB\nRssAnon:\t    2048 kB\n"), Some(2_097_152.0));
        assert_eq!(parse_memory("Name:\tx\n"), None);
    }

    #[test]
    fn answers_are_bounded_and_name_mistakes() {
        let root = std::env::temp_dir();
        let answer = answer_call("rule", &root, "{\"cod\": \"PK001\"}");
        assert!(answer.is_error && answer.text.contains("did you mean code?"), "{}", answer.text);
        assert!(answer_call("no", &root, "").is_error);
    }
}
