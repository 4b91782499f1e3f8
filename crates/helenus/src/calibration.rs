//! `--calibrate`: times small workloads on the engine or a cluster, and fits the prices to the
//! times.

use std::time::{Duration, Instant};

use cluster::ConnectionOptions;
use design::cost::calibration::{self, BindValue, Calibration, Probe};
use design::prices::Prices;
use model::plan::Effort;
use sim::{Failure, MemoryServer, Server, ServerStatement};

use crate::outcome;
use crate::progress_bar::ProgressBar;
use crate::proof::{environment_failure, run_on_cluster};

/// The engine's clock, in microseconds: any time will do.
const NOW: i64 = 1_767_225_600_000_000;
/// Runs of a statement before it is timed.
const WARM_UP: u32 = 50;
/// The number of rounds; the median counts.
const ROUNDS: usize = 5;
/// The minimum duration of a round.
const ROUND_TIME: Duration = Duration::from_millis(40);
/// The number of rows inserted at once.
const FILL_BATCH_ROWS: u32 = 2_000;

/// Measures the prices on the embedded engine, or on a cluster. Prices that no probe measures are
/// taken from `before`.
pub(crate) fn calibrate(
    before: &Prices,
    on: Option<&ConnectionOptions>,
) -> Result<Calibration, outcome::Failure> {
    let calibration = match on {
        None => {
            let mut server = MemoryServer::new(NOW).map_err(environment_failure)?;
            measure(&mut server, before)
        }
        Some(access) => run_on_cluster(access, |server| measure(server, before))?,
    };
    calibration.map_err(environment_failure)
}

/// Runs all probes and solves for the prices.
fn measure(server: &mut dyn Server, before: &Prices) -> Result<Calibration, Failure> {
    let probes = calibration::probes();
    let bar = ProgressBar::with_items("calibrate", "statements", probes.len());
    let mut measured = Vec::new();
    for probe in probes {
        measured.push(time_probe(server, &probe)?);
        server.clear(&probe.tables)?;
        bar.step();
    }
    Ok(calibration::solve(&measured, before))
}

/// The effort of a probe, and the seconds that one run took.
fn time_probe(server: &mut dyn Server, probe: &Probe) -> Result<(Effort, f64), Failure> {
    for table in &probe.tables {
        server.run(&ServerStatement { cql: table.clone(), values: Vec::new() })?;
    }
    for fill in &probe.fills {
        let mut done = 0;
        while done < fill.times {
            let end = fill.times.min(done + FILL_BATCH_ROWS);
            let rows: Vec<_> =
                (done..end).map(|run| bind_statement(&fill.statement, &fill.binds, run)).collect();
            server.run_all(&rows)?;
            done = end;
        }
    }
    let mut next = 0;
    let mut run = |server: &mut dyn Server| {
        let statement = bind_statement(&probe.statement, &probe.binds, next);
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
        while start.elapsed() < ROUND_TIME {
            run(server)?;
            runs += 1;
        }
        rounds.push(start.elapsed().as_secs_f64() / f64::from(runs.max(1)));
    }
    rounds.sort_by(f64::total_cmp);
    Ok((probe.effort, rounds.get(ROUNDS / 2).copied().unwrap_or_default()))
}

/// The statement with the values of the run with this number.
fn bind_statement(cql: &str, binds: &[BindValue], run: u32) -> ServerStatement {
    let int = |number: u32| Some(number.to_be_bytes().to_vec());
    let values = binds
        .iter()
        .map(|bind| match *bind {
            BindValue::Number => int(run),
            BindValue::Within(most) => int(run % most.max(1)),
            BindValue::Part(of) => int(run / of.max(1)),
            BindValue::Text(bytes) => Some(vec![b'x'; usize::try_from(bytes).unwrap_or_default()]),
        })
        .collect();
    ServerStatement { cql: cql.to_owned(), values }
}
