//! What keeping up each table takes, against the plans of whole designs.

use std::path::Path;

use model::id::{IdList, WriteId};
use model::plan::{Design, Effort};
use model::sql::ModelFile;

use crate::write_plan::lookup;
use crate::write_plan::request::Request;
use crate::write_plan::statements::effort;
use crate::write_plan::upkeep::{self, Upkeep};
use crate::{Context, Options};

/// The upkeep of all tables of a design.
fn upkeeps(context: Context<'_>, design: &Design) -> Vec<Upkeep> {
    let tables = design.tables.enumerate_ids();
    let each = tables.flat_map(|(at, table)| {
        let memory = design.tables.iter().find(|other| other.remembers == Some(at));
        upkeep::table_upkeep(context, table, memory.map(|memory| &memory.volume)).unwrap()
    });
    each.collect()
}

/// What the reads take that fulfil the requirements of a write, on the tables of the design.
fn requirement_effort(
    context: Context<'_>,
    design: &Design,
    upkeeps: &[Upkeep],
    write: WriteId,
) -> Effort {
    let mut requests: Vec<(&upkeep::RequestKey, Request)> = Vec::new();
    let requirements =
        upkeeps.iter().filter(|upkeep| upkeep.write == write).flat_map(|one| &one.requirements);
    for requirement in requirements.filter(|requirement| !requirement.request.ensures) {
        match requests.iter_mut().find(|(key, _)| **key == *requirement.key) {
            Some((_, same)) => {
                same.wants.extend(&requirement.request.wants);
                same.distinct.extend(&requirement.request.distinct);
            }
            None => requests.push((&requirement.key, requirement.request.clone())),
        }
    }
    let mut sum = Effort::default();
    for (_, request) in &requests {
        let access = lookup::best_access(context, &design.tables, request).unwrap();
        assert!(access.missing.is_empty(), "{request:?}");
        let own = &access.loops[request.loops.len()..];
        let numbers = (request.times, request.count);
        sum += effort::read_effort(context, &design.tables[access.table], numbers, own).unwrap();
    }
    sum
}

/// The writes of a file for which the parts do not add up to the whole; how many there are in all.
fn differences(file: &ModelFile, options: &Options) -> (Vec<String>, usize) {
    let design = crate::design(&file.concept, &file.workload, options);
    let context = Context { concept: &file.concept, workload: &file.workload, options };
    let upkeeps = upkeeps(context, &design);
    let mut different = Vec::new();
    for (at, plan) in design.writes.enumerate_ids() {
        let mut sum = requirement_effort(context, &design, &upkeeps, at);
        for upkeep in upkeeps.iter().filter(|upkeep| upkeep.write == at) {
            sum += upkeep.effort;
        }
        let figures = |effort: &Effort| {
            let Effort { written, written_bytes, deleted, counted, conditional, .. } = *effort;
            let Effort { requests, rows, .. } = *effort;
            [written, written_bytes, deleted, counted, conditional, requests, rows]
                .map(|figure| (figure * 1e3).round())
        };
        let apart = figures(&sum).into_iter().zip(figures(&plan.effort));
        if apart.into_iter().any(|(one, other)| (one - other).abs() > 1e-9 * one.abs().max(1.0)) {
            let name = &file.workload.writes[at].name;
            let lines = super::text(plan);
            different.push(format!("{name}: {sum:?}, not {:?}\n{lines:#?}", plan.effort));
        }
    }
    (different, design.writes.len())
}

#[test]
fn the_parts_add_up_to_the_whole() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut different, mut writes) = (Vec::new(), 0);
    for path in super::examples::files(&examples) {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(file) = model::sql::read(&text, "app") else { continue };
        for rules_only in [false, true] {
            let options = Options { rules_only, ..Options::default() };
            let (more, all) = differences(&file, &options);
            different.extend(more.into_iter().map(|text| format!("{}: {text}", path.display())));
            writes += all;
        }
    }
    assert!(writes > 100, "{writes}");
    let all = different.len();
    assert!(different.is_empty(), "{all} of {writes}\n{}", different.join("\n"));
}
