//! `helenus doctor --watch`: the diagnosis again and again, with what changed.

use std::io::Write;
use std::time::Duration;

use super::DoctorArguments;
use crate::diagnosis::compare_reports;
use crate::outcome::{Failure, Outcome};
use crate::render::doctor as render;

/// The shortest time between two rounds: each asks every node for all of its figures.
const SECONDS_MIN: u64 = 5;

/// Repeats the diagnosis until the process is ended, or for a number of rounds.
pub(super) fn watch(
    arguments: &DoctorArguments,
    seconds: u64,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let mut before = arguments.collect()?;
    arguments.write(&before, out)?;
    out.flush()?;
    for _ in 1..arguments.rounds.unwrap_or(u64::MAX) {
        std::thread::sleep(Duration::from_secs(seconds.max(SECONDS_MIN)));
        let after = arguments.collect()?;
        let difference = compare_reports(&before, &after);
        if arguments.json {
            render::write_difference_json(&difference, out)?;
        } else {
            writeln!(out)?;
            render::write_difference(&difference, out)?;
        }
        out.flush()?;
        before = after;
    }
    Ok(super::outcome(&before))
}
