//! QP020: consistency levels that are too weak or wait too long.

use crate::{Check, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp020_weak_or_heavy_consistency.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    for facts in &project.tables {
        let Some(keyspace) = project.catalog.keyspace(&facts.table.keyspace) else { continue };
        let copies: Vec<u32> = keyspace
            .replication
            .options
            .values()
            .filter_map(|copies| copies.parse().ok())
            .collect();
        let written =
            facts.writes(project).filter_map(|seen| seen.annotations.consistency.as_deref());
        let weakest = written.min_by_key(|level| level_replicas(level, &copies));
        for seen in facts.reads(project).chain(facts.writes(project)) {
            let Some(level) = seen.annotations.consistency.as_deref() else { continue };
            let reads = seen.read().is_some();
            let weakest = weakest.filter(|_| reads);
            if let Some(effect) = level_effect(level, reads, weakest, &copies) {
                let message = format!("Consistency {level} may {effect}.");
                let one = reporter.report(seen.place, message);
                one.with_table(&facts.table).help("use LOCAL_QUORUM for reads and writes");
            }
        }
    }
}

/// The undesired effect of a consistency level.
fn level_effect(level: &str, reads: bool, written: Option<&str>, copies: &[u32]) -> Option<String> {
    let all: u32 = copies.iter().sum();
    match level {
        "ALL" => Some("fail if a single replica is down".to_owned()),
        "ANY" => Some("store a write only as a hint, which cannot be read".to_owned()),
        "EACH_QUORUM" if reads => Some("wait for every datacenter".to_owned()),
        "QUORUM" if copies.len() > 1 => Some("wait for another datacenter".to_owned()),
        _ => {
            let written = written?;
            let sum = level_replicas(level, copies)? + level_replicas(written, copies)?;
            let weak = copies.len() == 1 && sum <= all;
            weak.then(|| {
                format!(
                    "return data older than the last write: {level} reads after {written} writes with {all} replicas"
                )
            })
        }
    }
}

/// How many replicas answer in a single datacenter.
fn level_replicas(level: &str, copies: &[u32]) -> Option<u32> {
    let all: u32 = copies.iter().sum();
    match level {
        "ANY" => Some(0),
        "ONE" | "LOCAL_ONE" => Some(1),
        "TWO" => Some(2),
        "THREE" => Some(3),
        "QUORUM" | "LOCAL_QUORUM" | "EACH_QUORUM" => Some(all / 2 + 1),
        "ALL" => Some(all),
        _ => None,
    }
}
