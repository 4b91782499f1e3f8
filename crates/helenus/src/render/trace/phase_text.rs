//! The names of phases, and times.

use doctor::trace::{PaxosStep, Phase, PhaseKind};

/// Microseconds for people: `326 µs`, `12.4 ms`, `1.25 s`.
pub(crate) fn micros(micros: u64) -> String {
    let thousandths = |unit: u64| (micros / unit, micros % unit * 1_000 / unit);
    if micros < 1_000 {
        format!("{micros} µs")
    } else if micros < 1_000_000 {
        let (whole, part) = thousandths(1_000);
        format!("{whole}.{} ms", part / 100)
    } else {
        let (whole, part) = thousandths(1_000_000);
        format!("{whole}.{:02} s", part / 10)
    }
}

/// A part of the whole, rounded.
pub(super) fn percent(part: u64, whole: u64) -> u64 {
    let whole = whole.max(1);
    part.saturating_mul(100).saturating_add(whole / 2) / whole
}

/// What a phase does, in a few words.
pub(super) fn name(phase: &Phase) -> String {
    let name = kind_name(&phase.kind);
    if phase.count > 1 { format!("{name} x{}", phase.count) } else { name }
}

fn kind_name(kind: &PhaseKind) -> String {
    let of = |verb: &str, table: &str| match table {
        "" => verb.to_owned(),
        table => format!("{verb} {table}"),
    };
    match kind {
        PhaseKind::Prepare => "parse and prepare".to_owned(),
        PhaseKind::PlanRead => "plan the read".to_owned(),
        PhaseKind::ReadPartition(table) => of("read", table),
        PhaseKind::Scan => "scan a token range".to_owned(),
        PhaseKind::ReadIndex { names, .. } => format!("read by {}", names.replace(',', ", ")),
        PhaseKind::PlanWrite => "plan the write".to_owned(),
        PhaseKind::Write(table) => of("write", table),
        PhaseKind::BatchLog => "write the batch log".to_owned(),
        PhaseKind::Counter => "read the counter".to_owned(),
        PhaseKind::Views => "write views".to_owned(),
        PhaseKind::Paxos(step) => format!("Paxos: {}", paxos(*step)),
        PhaseKind::ReadRepair => "read repair".to_owned(),
        PhaseKind::Function(name) => format!("function {name}"),
        PhaseKind::Result => "prepare the result".to_owned(),
        PhaseKind::Failure => "failure".to_owned(),
        PhaseKind::Other(sentence) => sentence.clone(),
    }
}

fn paxos(step: PaxosStep) -> &'static str {
    match step {
        PaxosStep::Prepare => "prepare",
        PaxosStep::Promise => "promise",
        PaxosStep::PromiseRejected => "promise refused",
        PaxosStep::ReadingRow => "read the row",
        PaxosStep::ConditionMet => "condition holds",
        PaxosStep::ConditionFailed => "condition fails",
        PaxosStep::Accept => "accept",
        PaxosStep::ProposalRejected => "proposal refused",
        PaxosStep::Commit => "commit",
        PaxosStep::Contention => "another was first",
        PaxosStep::FinishingOther => "finish another",
        PaxosStep::RepairingReplicas => "bring replicas up to date",
        PaxosStep::Applied => "applied",
    }
}

#[cfg(test)]
mod tests {
    use super::micros;

    #[test]
    fn times_have_three_digits() {
        assert_eq!(micros(0), "0 µs");
        assert_eq!(micros(999), "999 µs");
        assert_eq!(micros(1_249), "1.2 ms");
        assert_eq!(micros(730_288), "730.2 ms");
        assert_eq!(micros(12_345_678), "12.34 s");
    }
}
