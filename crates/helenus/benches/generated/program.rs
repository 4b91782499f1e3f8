//! The program of a language, which calls both sides.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::server_process::cpu_seconds;

/// A round: the figures of both sides.
pub(crate) struct Round {
    pub(crate) generated: Run,
    pub(crate) by_hand: Run,
}

/// The calls of a side in a round.
pub(crate) struct Run {
    seconds: f64,
    /// CPU time of the program.
    cpu_seconds: f64,
    /// Nanoseconds, sorted.
    latencies: Vec<u64>,
}

/// The running program.
pub(crate) struct Program {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Program {
    /// Starts it; it connects to a server, and for metrics to one that answers later.
    pub(crate) fn start(mut command: Command, address: &str, delayed: &str) -> Self {
        let ports = [address, delayed].map(|it| it.rsplit(':').next().unwrap());
        let command = command.args(ports).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, requests, answers }
    }

    /// Calls both sides until compilers at run time have seen enough of them.
    pub(crate) fn warm_up(&mut self, row: &str, in_flight: usize) {
        for side in ["generated", "by_hand", "generated", "by_hand"] {
            self.run(side, row, in_flight, 2.0);
        }
    }

    /// The rounds of a row. The side that begins changes, so that neither gains by it.
    pub(crate) fn measure(&mut self, row: &str, in_flight: usize) -> Vec<Round> {
        let seconds = number("HELENUS_SECONDS").unwrap_or(0.2);
        let rounds = number("HELENUS_ROUNDS").unwrap_or(51.0);
        let mut measured = Vec::new();
        while (measured.len() as f64) < rounds {
            let is_first = measured.len() % 2 == 0;
            let early = is_first.then(|| self.run("generated", row, in_flight, seconds));
            let by_hand = self.run("by_hand", row, in_flight, seconds);
            let generated = early.unwrap_or_else(|| self.run("generated", row, in_flight, seconds));
            measured.push(Round { generated, by_hand });
        }
        measured
    }

    fn run(&mut self, side: &str, row: &str, in_flight: usize, seconds: f64) -> Run {
        let pid = u64::from(self.child.id());
        let before = cpu_seconds(pid).unwrap_or_default();
        writeln!(self.requests, "{side} {row} {in_flight} {seconds}").unwrap();
        self.requests.flush().unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let cpu_seconds = cpu_seconds(pid).unwrap_or_default() - before;
        let mut words = line.split_whitespace();
        let seconds = words.next().expect("the program ended").parse().unwrap();
        let mut latencies: Vec<u64> = words.map(|word| word.parse().unwrap()).collect();
        latencies.sort_unstable();
        Run { seconds, cpu_seconds, latencies }
    }

    pub(crate) fn stop(mut self) {
        drop(self.requests);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Run {
    /// Calls in a second.
    pub(crate) fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.seconds
    }

    /// Seconds of CPU, and the number of calls.
    pub(crate) fn cpu(&self) -> (f64, f64) {
        (self.cpu_seconds, self.latencies.len() as f64)
    }

    /// The milliseconds that a share of the calls do not exceed.
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
        let index = (self.latencies.len() as f64 * share) as usize;
        self.latencies[index.min(self.latencies.len() - 1)] as f64 / 1e6
    }
}

fn number(name: &str) -> Option<f64> {
    std::env::var(name).ok()?.parse().ok()
}
