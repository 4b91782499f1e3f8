//! What real traces show. The figures are those that the statements and the data behind the samples
//! determine: 60,000 deleted rows, 50 products of a category, 100 keys.

use super::*;
use crate::trace::{PhaseKind, Step, read, samples};

fn analyse_one(text: &str) -> (Trace, TraceAnalysis) {
    let trace = read(text).unwrap().remove(0);
    let analysis = analyse(&trace);
    let own: u64 = analysis.timeline.activities.iter().map(|activity| activity.own).sum();
    assert_eq!(own + analysis.unaccounted, analysis.timeline.total, "the parts add up");
    (trace, analysis)
}

fn causes(analysis: &TraceAnalysis) -> Vec<(Verdict, TraceCause)> {
    let problems = analysis.problems.iter();
    // How long a cold server does nothing visible is not the statement's.
    let problems =
        problems.filter(|problem| !matches!(problem.cause, TraceCause::Unaccounted { .. }));
    problems.map(|problem| (problem.verdict, problem.cause.clone())).collect()
}

#[test]
fn every_sentence_of_the_real_server_is_known() {
    for text in samples::ALL {
        for trace in read(text).unwrap() {
            if trace.events.iter().any(|event| event.thread.starts_with("shard")) {
                continue;
            }
            for event in &trace.events {
                assert_ne!(event.step, Step::Other, "{}", event.sentence);
            }
        }
    }
}

#[test]
fn a_point_read_is_fine() {
    let (trace, analysis) = analyse_one(samples::POINT);
    assert_eq!(trace.statement(), Some("SELECT * FROM users WHERE id = 42;"));
    assert_eq!(analysis.timeline.total, 24_401);
    assert_eq!((analysis.reads.live, analysis.reads.tombstones), (Some(1), Some(0)));
    assert_eq!(analysis.reads.partitions, 1);
    assert_eq!(causes(&analysis), []);
    let read = analysis
        .phases
        .iter()
        .find(|phase| phase.kind == PhaseKind::ReadPartition("users".to_owned()));
    assert_eq!(read.map(|phase| (phase.start, phase.end)), Some((15_981, 21_575)));
}

/// 31 rows were written on both sides of a flush, and 10 of them deleted.
#[test]
fn a_trace_of_4_1_is_read() {
    let (trace, analysis) = analyse_one(samples::TOMBSTONES_4_1);
    assert_eq!(trace.statement(), Some("SELECT * FROM k.visits WHERE page = 'home'"));
    assert_eq!((analysis.reads.live, analysis.reads.tombstones), (Some(21), Some(10)));
    assert_eq!((analysis.reads.partitions, analysis.reads.sstables_max), (1, Some(1)));
    assert_eq!(analysis.timeline.total, 16_639);
    assert_eq!(causes(&analysis), []);
}

#[test]
fn tombstones_are_dangerous_before_the_server_aborts() {
    let (trace, analysis) = analyse_one(samples::TOMBSTONES);
    let cause = TraceCause::Tombstones { live: 10, tombstones: 60_000, aborted: false };
    assert_eq!(causes(&analysis), [(Verdict::Dangerous, cause)]);
    let (slowest, own) = analysis.slowest.unwrap();
    assert_eq!(trace.events[slowest].sentence, "Merged data from memtables and 1 sstables");
    assert_eq!(own, 659_375 - 2_629);
}

#[test]
fn an_aborted_read_names_its_limit() {
    let (_, analysis) = analyse_one(samples::ABORTED);
    let causes = causes(&analysis);
    assert!(causes.contains(&(
        Verdict::Dangerous,
        TraceCause::Tombstones { live: 0, tombstones: 100_001, aborted: true }
    )));
    let failed = TraceCause::Failed(FailureStep::ReplicasFailed { received: 0, required: 1 });
    assert!(causes.contains(&(Verdict::Dangerous, failed)));
}

#[test]
fn scans_and_indexes_are_told_apart() {
    let (_, filtering) = analyse_one(samples::FILTERING_ALL);
    let scan = TraceCause::Scan { ranges: 2, rows: Some(5_000) };
    assert_eq!(causes(&filtering), [(Verdict::Dangerous, scan)]);
    let (_, index) = analyse_one(samples::INDEX);
    let names = "users_email".to_owned();
    let cause = TraceCause::IndexOnAllNodes { names, ranges: 2 };
    assert_eq!(causes(&index), [(Verdict::Watch, cause)]);
    assert_eq!(index.reads.partitions, 2, "one of the index, one of the table");
    let (_, attached) = analyse_one(samples::SAI);
    assert_eq!(attached.rows_tested, Some(50));
    assert_eq!(attached.reads.partitions, 50);
    let names = "products_category, products_price".to_owned();
    let cause = TraceCause::IndexOnAllNodes { names, ranges: 2 };
    assert_eq!(causes(&attached), [(Verdict::Watch, cause)]);
}

#[test]
fn many_partitions_are_counted_and_summed_up() {
    let (_, analysis) = analyse_one(samples::IN_100);
    let cause = TraceCause::ManyPartitions { partitions: 100 };
    assert_eq!(causes(&analysis), [(Verdict::Dangerous, cause)]);
    assert_eq!(analysis.reads.live, Some(100));
    let users = analysis.phases.iter().find(|phase| phase.count == 100).unwrap();
    assert_eq!(users.kind, PhaseKind::ReadPartition("users".to_owned()));
}

#[test]
fn transactions_have_rounds_and_an_outcome() {
    let (_, refused) = analyse_one(samples::LWT);
    let paxos = refused.paxos.unwrap();
    assert_eq!((paxos.attempts, paxos.applied), (1, Some(false)));
    let (_, applied) = analyse_one(samples::LWT_APPLIED);
    let paxos = applied.paxos.unwrap();
    assert_eq!((paxos.attempts, paxos.applied, paxos.contention), (1, Some(true), 0));
    assert_eq!(causes(&applied), []);
}

#[test]
fn writes_are_named_by_their_tables() {
    let (_, batch) = analyse_one(samples::BATCH);
    assert!(batch.has_batch_log);
    for table in ["batches", "users", "events"] {
        let kind = PhaseKind::Write(table.to_owned());
        assert!(batch.phases.iter().any(|phase| phase.kind == kind), "{table}");
    }
    let (_, counter) = analyse_one(samples::COUNTER);
    assert!(counter.phases.iter().any(|phase| phase.kind == PhaseKind::Counter));
}

#[test]
fn pages_and_aggregates_have_their_reads() {
    let traces = read(samples::PAGING).unwrap();
    let live: Vec<_> = traces.iter().map(|trace| analyse(trace).reads.live).collect();
    assert_eq!(live, [Some(100), Some(100), Some(50)]);
    let (_, aggregate) = analyse_one(samples::AGGREGATE);
    assert_eq!(aggregate.reads.live, Some(20_001), "all rows, in pages of 5,000");
    assert!(aggregate.ranges.unwrap().rounds >= 4);
    assert!(aggregate.phases.len() <= 5, "scans are summed up");
}

#[test]
fn replicas_are_put_on_one_axis() {
    let (_, analysis) = analyse_one(samples::REPLICAS);
    // The clock of the third node is 20 ms behind: its first event cannot be before 900 µs.
    assert!(analysis.timeline.skews.get("10.0.0.3").is_some_and(|shift| *shift > 15_000));
    assert_eq!(analysis.timeline.skews.get("10.0.0.2"), None);
    assert_eq!(analysis.replicas.data.iter().collect::<Vec<_>>(), ["10.0.0.2"]);
    assert_eq!(analysis.replicas.digest.iter().collect::<Vec<_>>(), ["10.0.0.3"]);
    assert_eq!(analysis.replicas.mismatches, 1);
    let causes = causes(&analysis);
    let waited = causes.iter().find_map(|(_, cause)| match cause {
        TraceCause::WaitedFor { node, micros } => Some((node.as_str(), *micros)),
        _ => None,
    });
    let (node, micros) = waited.unwrap();
    assert_eq!(node, "10.0.0.2");
    assert!((25_000..32_000).contains(&micros), "{micros}");
    assert_eq!(analysis.reads.sstables.len(), 3);
}

#[test]
fn scylla_counts_rows_and_tombstones() {
    let (_, analysis) = analyse_one(samples::SCYLLA);
    assert_eq!((analysis.reads.live, analysis.reads.tombstones), (Some(3), Some(2 + 1 + 6)));
    assert_eq!(analysis.replicas.data.iter().collect::<Vec<_>>(), ["172.17.0.3"]);
    assert_eq!(analysis.unknown, 3, "they stay as text");
}
