//! `--calibrate`: runs small workloads on an engine or a cluster and finds the prices that explain how long they took.

use std::time::{Duration, Instant};

use cluster::Access;
use design::cost::calibration::{self, Bind, Calibrated, Probe};
use design::prices::Prices;
use model::plan::Effort;
use sim::{Embedded, Failure, Server, Statement};

use crate::outcome;
use crate::prove::{environment, on_a_cluster};

/// When it is for the engine: any time will do.
const NOW: i64 = 1_767_225_600_000_000;
/// Runs of a statement before it is timed.
const WARM_UP: u32 = 50;
/// Rounds of runs; the one in the middle counts.
const ROUNDS: usize = 5;
/// How long a round goes on, about.
const ROUND: Duration = Duration::from_millis(40);
/// Rows that are filled in at one time.
const AT_ONCE: u32 = 2_000;

/// Measures the prices on the embedded engine, or on a cluster. Those that nothing was measured of are as in `before`.
pub(crate) fn calibrate(
    before: &Prices,
    on: Option<&Access>,
) -> Result<Calibrated, outcome::Failure> {
    let found = match on {
        None => {
            let mut server = Embedded::new(NOW).map_err(environment)?;
            measure(&mut server, before)
        }
        Some(access) => on_a_cluster(access, |server| measure(server, before))?,
    };
    found.map_err(environment)
}

/// Runs all probes.
fn measure(server: &mut dyn Server, before: &Prices) -> Result<Calibrated, Failure> {
    let mut measured = Vec::new();
    for probe in calibration::probes() {
        measured.push(time(server, &probe)?);
        server.clear(&probe.tables)?;
    }
    Ok(calibration::solve(&measured, before))
}

/// What a probe takes, and the seconds that one run of it took.
fn time(server: &mut dyn Server, probe: &Probe) -> Result<(Effort, f64), Failure> {
    for table in &probe.tables {
        server.run(&Statement { cql: table.clone(), values: Vec::new() })?;
    }
    for fill in &probe.fills {
        let mut done = 0;
        while done < fill.times {
            let end = fill.times.min(done + AT_ONCE);
            let rows: Vec<_> =
                (done..end).map(|run| statement(&fill.statement, &fill.binds, run)).collect();
            server.run_all(&rows)?;
            done = end;
        }
    }
    let mut next = 0;
    let mut run = |server: &mut dyn Server| {
        let statement = statement(&probe.statement, &probe.binds, next);
        next += 1;
        server.run(&statement).map(|_| ())
    };
    for _ in 0..WARM_UP {
        run(server)?;
    }
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut runs = 0_u32;
        while start.elapsed() < ROUND {
            run(server)?;
            runs += 1;
        }
        rounds.push(start.elapsed().as_secs_f64() / f64::from(runs.max(1)));
    }
    rounds.sort_by(f64::total_cmp);
    Ok((probe.effort, rounds.get(ROUNDS / 2).copied().unwrap_or_default()))
}

/// A statement at the run of this number.
fn statement(cql: &str, binds: &[Bind], run: u32) -> Statement {
    let int = |number: u32| Some(number.to_be_bytes().to_vec());
    let values = binds
        .iter()
        .map(|bind| match *bind {
            Bind::Number => int(run),
            Bind::Within(most) => int(run % most.max(1)),
            Bind::Part(of) => int(run / of.max(1)),
            Bind::Text(bytes) => Some(vec![b'x'; usize::try_from(bytes).unwrap_or_default()]),
        })
        .collect();
    Statement { cql: cql.to_owned(), values }
}
