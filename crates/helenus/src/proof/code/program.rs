//! A program of generated code: a child process that answers lines with lines.
//!
//! Its standard input is written, its standard output and its standard error are read on threads of
//! their own, so that a program that does not read, does not answer or fills a pipe cannot stop the
//! proof.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line of an answer, in bytes.
const LINE_BYTES_MAX: u64 = 64 << 20;
/// What is kept of the text that a program prints besides its answers: the end of it.
const PRINTED_BYTES_MAX: usize = 8 << 10;
/// How long a program may take to end by itself after its input has ended.
const END_DELAY: Duration = Duration::from_secs(2);
/// How long to wait for the last words of a program that has ended.
const PRINT_DELAY: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Starts a program, also again after it was ended.
pub(super) type ProgramLauncher = Box<dyn FnMut() -> Result<DriverProgram, String>>;

/// A running program. It is ended when this is dropped.
pub(super) struct DriverProgram {
    /// `None` for one that runs in this process.
    child: Option<Child>,
    /// Dropped to end the input of the program.
    requests: Option<SyncSender<String>>,
    answers: Receiver<Result<String, String>>,
    printed: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when the program has closed its standard error.
    print_end: Receiver<()>,
}

impl DriverProgram {
    /// Starts a program; the error says why it cannot be started.
    pub(super) fn start(command: &mut Command) -> Result<Self, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        let failed = |why: &str| format!("cannot start {name}: {why}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| failed(&error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(failed("it has no standard input and output"));
        };
        let mut program = Self::attach(input, output, errors);
        program.child = Some(child);
        Ok(program)
    }

    /// A program behind these streams.
    pub(super) fn attach(
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
        errors: impl Read + Send + 'static,
    ) -> Self {
        // One request is under way at a time.
        let (requests, lines) = sync_channel(1);
        let (answer, answers) = sync_channel(1);
        let (print_sender, print_end) = channel();
        let printed = Arc::default();
        let (for_output, for_errors) = (Arc::clone(&printed), Arc::clone(&printed));
        thread::spawn(move || write_lines(input, &lines));
        thread::spawn(move || read_lines(output, &answer, &for_output));
        thread::spawn(move || keep_text(errors, &for_errors, print_sender));
        Self { child: None, requests: Some(requests), answers, printed, print_end }
    }

    /// Sends a line and waits for the answer. After an error the program is ended; the error says
    /// what it printed.
    pub(super) fn exchange(&mut self, line: String, limit: Duration) -> Result<String, String> {
        let Some(requests) = &self.requests else {
            return Err("the generated code was ended".to_owned());
        };
        // Failures to send show up as a missing answer.
        let _ = requests.try_send(line);
        let problem = match self.answers.recv_timeout(limit) {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(problem)) => problem,
            Err(RecvTimeoutError::Timeout) => {
                format!("did not answer within {} s", limit.as_secs_f64())
            }
            Err(RecvTimeoutError::Disconnected) => "ended".to_owned(),
        };
        let status = self.end().map(|status| format!(" ({status})")).unwrap_or_default();
        Err(format!("the generated code {problem}{status}{}", self.describe_printed()))
    }

    /// Sends a line and kills the program if it does not answer soon, as a crash in the middle of its
    /// work would; `None` if it was killed.
    pub(super) fn kill_during(&mut self, line: String, delay: Duration) -> Option<String> {
        let _ = self.requests.as_ref()?.try_send(line);
        if let Ok(Ok(answer)) = self.answers.recv_timeout(delay) {
            return Some(answer);
        }
        if let Some(child) = &mut self.child {
            // It may have ended by itself.
            let _ = child.kill();
        }
        self.end();
        None
    }

    /// Ends the program; returns its exit status if it ended by itself.
    fn end(&mut self) -> Option<String> {
        drop(self.requests.take());
        let mut child = self.child.take()?;
        let deadline = Instant::now() + END_DELAY;
        while Instant::now() < deadline {
            match child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) => thread::sleep(POLL_INTERVAL),
                Err(_) => break,
            }
        }
        // It may have ended in the meantime.
        let _ = child.kill();
        let _ = child.wait();
        None
    }

    /// The end of what the program printed besides its answers.
    fn describe_printed(&self) -> String {
        // Nothing is sent: this waits for the end, or for the time.
        let _ = self.print_end.recv_timeout(PRINT_DELAY);
        let printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&printed);
        match text.trim() {
            "" => String::new(),
            text => format!("; it printed:\n{text}"),
        }
    }
}

impl Drop for DriverProgram {
    fn drop(&mut self) {
        self.end();
    }
}

fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Passes the lines that are objects on. Others are no answers: a library may print them.
fn read_lines(
    output: impl Read,
    answers: &SyncSender<Result<String, String>>,
    printed: &Mutex<Vec<u8>>,
) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let answer = match reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 == LINE_BYTES_MAX => {
                Err(format!("answered with more than {LINE_BYTES_MAX} bytes"))
            }
            Ok(_) if !line.trim_ascii_start().starts_with(b"{") => {
                append_text(printed, &line);
                continue;
            }
            Ok(_) => String::from_utf8(line).map_err(|_| "answered with invalid UTF-8".to_owned()),
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// Keeps the end of a stream; the sender is dropped at its end.
fn keep_text(mut stream: impl Read, printed: &Mutex<Vec<u8>>, end: Sender<()>) {
    let mut buffer = [0; 4096];
    while let Ok(length) = stream.read(&mut buffer) {
        let Some(text) = buffer.get(..length).filter(|text| !text.is_empty()) else { break };
        append_text(printed, text);
    }
    drop(end);
}

fn append_text(printed: &Mutex<Vec<u8>>, text: &[u8]) {
    let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
    printed.extend_from_slice(text);
    let excess = printed.len().saturating_sub(PRINTED_BYTES_MAX);
    printed.drain(..excess);
}
