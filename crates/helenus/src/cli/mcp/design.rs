//! The tool `design`: Cassandra tables for a model, in brief or one part in full.

use std::time::Duration;

use model::plan::Design;
use model::sql::ModelFile;

use super::model_input::{self, DESIGN_PARAMETERS, MODEL_PARAMETERS, count};
use super::tool::{OFFSET, ParameterKind, ToolArguments, ToolCall, ToolEntry, ToolParameter};
use crate::cli::design::{check_keys, design_model};
use crate::cli::option_values;
use crate::influence::InfluenceStudy;
use crate::outcome::{Failure, Outcome};
use crate::proof::{ProofPlan, Verdict};
use crate::render::brief::{Brief, BriefItem, BriefSection};
use crate::render::design::{DesignView, brief, proof};

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "design",
    title: "Design Cassandra tables",
    description: "Designs Apache Cassandra tables from SQL tables, queries and volumes: CREATE TABLE statements, the CQL of every query and write, dangers and the assumptions that matter. Pass the model as `files` below the project's root, as `text`, or both. The first answer is a summary; `view` shows one part in full.",
    parameters: &[
        MODEL_PARAMETERS,
        &[
            ToolParameter::new(
                "view",
                ParameterKind::Word(&VIEWS),
                "Which part to show: summary (the default), tables, queries, writes, sizes, dangers, alternatives or assumptions.",
            ),
            ToolParameter::new(
                "about",
                ParameterKind::Text,
                "Show only the items that name this table, query or write.",
            ),
            KEYS,
            ToolParameter::new(
                "prove",
                ParameterKind::Flag,
                "Prove the design: run every query and write on generated rows, on the designed tables and in a relational database, and compare. Takes up to 20 s.",
            ),
        ],
        DESIGN_PARAMETERS,
        &[OFFSET],
    ],
    run,
};

/// The parameter with forced keys.
pub(super) const KEYS: ToolParameter = ToolParameter::new(
    "keys",
    ParameterKind::Texts,
    "Force the primary key of the table of a query, as `VideosByUser=(userid), added_date DESC`.",
);

const VIEWS: [&str; 8] =
    ["summary", "tables", "queries", "writes", "sizes", "dangers", "alternatives", "assumptions"];
/// The items of each section of the summary.
const SUMMARY_ITEMS_MAX: usize = 12;
/// The time of a proof.
const PROOF_TIME: Duration = Duration::from_secs(20);
/// The assumptions of the summary.
const SUMMARY_ASSUMPTIONS_MAX: usize = 5;

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    let arguments = &call.arguments;
    let sources = model_input::read_sources(call.root, arguments)?;
    let file = match model_input::read_model(&sources) {
        Ok(file) => file,
        Err(answer) => return Ok(*answer),
    };
    let view = arguments.text("view").unwrap_or("summary");
    let mut options = model_input::read_options(arguments)?;
    options.keys = read_keys(arguments, &file)?;
    options.search.explain = view == "alternatives";
    let designed = design_model(&file, &options)?;
    let verdict = prove(arguments, &file, &designed)?;
    let is_ranked = matches!(view, "summary" | "assumptions");
    let study =
        InfluenceStudy { sources: &sources, file: &file, design: &designed, options: &options };
    let ranking = is_ranked.then(|| study.rank());
    let subject = DesignView {
        file: &file,
        design: &designed,
        rules_only: options.rules_only,
        proof: &verdict,
        sources: Some(&sources),
        ranking: ranking.as_ref(),
        series: &[],
    };
    let assumptions =
        ranking.as_ref().map(|it| brief::assumptions(subject, it)).unwrap_or_default();
    let mut answer = Brief { headline: headline(subject), ..Brief::default() };
    answer.facts = list_facts(subject);
    let about = arguments.text("about");
    answer.sections = match view {
        "tables" => vec![section("tables", "tables", brief::tables(subject))],
        "queries" => vec![section("queries", "queries", brief::reads(subject))],
        "writes" => vec![section("writes", "writes", brief::writes(subject, true))],
        "sizes" => vec![section("sizes", "sizes", brief::sizes(subject))],
        "dangers" => vec![section("dangers", "dangers", brief::dangers(subject))],
        "alternatives" => {
            vec![section("alternatives", "alternatives", brief::alternatives(subject))]
        }
        "assumptions" => vec![section("assumptions", "assumptions", assumptions)],
        _ => summarize(subject, assumptions),
    };
    if let Some(name) = about {
        answer.sections.iter_mut().for_each(|it| it.items.retain(|item| is_about(item, name)));
        if answer.sections.iter().all(|it| it.items.is_empty()) {
            answer.headline = format!("nothing in the view {view} names {name}");
            answer.is_error = true;
        }
    }
    if verdict.is_failed() {
        let text = brief::proof(subject);
        let item = BriefItem { data: serde_json::json!(text), text };
        answer.sections.insert(0, section("proof_report", view, vec![item]));
    }
    answer.next = list_next(subject, view);
    Ok(answer)
}

/// Runs the proof, if the call asks for it.
fn prove(
    arguments: &ToolArguments,
    file: &ModelFile,
    designed: &Design,
) -> Result<Verdict, Failure> {
    if !arguments.has_flag("prove") {
        return Ok(Verdict::Skipped);
    }
    let plan = ProofPlan {
        rows: None,
        seed: 1,
        time: PROOF_TIME,
        on: None,
        language: None,
        with_faults: false,
    };
    crate::proof::prove(file, designed, &plan)
}

/// The keys of the argument `keys`.
pub(super) fn read_keys(
    arguments: &ToolArguments,
    file: &ModelFile,
) -> Result<Vec<design::ForcedKey>, Failure> {
    let refuse =
        |message: String| Failure::Stopped(Outcome::BadInput, format!("`keys`: {message}"));
    let keys = arguments.texts("keys").into_iter().map(option_values::key);
    let keys = keys.collect::<Result<Vec<_>, String>>().map_err(refuse)?;
    check_keys("`keys`", file, &keys)?;
    Ok(keys)
}

fn headline(subject: DesignView<'_>) -> String {
    format!(
        "{}: {} for {} and {}",
        subject.file.concept.keyspace,
        count(subject.design.tables.len(), "table"),
        count(subject.design.reads.len(), "query"),
        count(subject.file.workload.list_stated_writes().len(), "write"),
    )
}

/// The facts of every view.
fn list_facts(subject: DesignView<'_>) -> Vec<(&'static str, serde_json::Value)> {
    let mut facts = vec![("optimal", brief::verdict(subject).into())];
    if let Some(price) = brief::price(subject.design) {
        facts.push(("price", price.into()));
    }
    let copies = subject.file.concept.copies();
    let bytes = model::figures::format_bytes(subject.disk_bytes_after(0.0));
    facts.push(("disk_today", format!("{bytes} with {copies} replicas").into()));
    facts.push(("proof", proof::verdict(subject.proof).into()));
    facts
}

/// The sections of the summary: first what is dangerous, last what can be looked up.
fn summarize(subject: DesignView<'_>, assumptions: Vec<BriefItem>) -> Vec<BriefSection> {
    let mut sections = vec![
        summary("dangers", brief::dangers(subject), SUMMARY_ITEMS_MAX),
        summary("tables", brief::tables(subject), SUMMARY_ITEMS_MAX),
        summary("queries", brief::reads(subject), SUMMARY_ITEMS_MAX),
        summary("writes", brief::writes(subject, false), SUMMARY_ITEMS_MAX),
    ];
    sections.push(summary("assumptions", assumptions, SUMMARY_ASSUMPTIONS_MAX));
    sections
}

fn summary(name: &'static str, items: Vec<BriefItem>, most: usize) -> BriefSection {
    let more = format!("call design with view {name} and offset {{}}");
    BriefSection::new(name, items, most, &more)
}

fn section(name: &'static str, view: &str, items: Vec<BriefItem>) -> BriefSection {
    let more = format!("call design with view {view} and offset {{}}");
    BriefSection::new(name, items, usize::MAX, &more)
}

/// Whether an item names a table, query or write, as a word.
fn is_about(item: &BriefItem, name: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    item.text.split(|character| !is_word(character)).any(|word| word.eq_ignore_ascii_case(name))
}

/// What to do with the design.
fn list_next(subject: DesignView<'_>, view: &str) -> Vec<String> {
    let mut next = Vec::new();
    let is_refusal = |note: &model::plan::Note| note.kind == model::plan::NoteKind::Refusal;
    if subject.design.notes.iter().any(is_refusal) {
        next.push("Change the queries or writes that are refused, as their help says.".to_owned());
    }
    if view == "summary" {
        if subject.design.writes.is_empty() {
            next.push("Add the application's INSERT, UPDATE and DELETE statements, named by `-- name: X :exec`: without them nothing is known of the cost of writes.".to_owned());
        } else {
            next.push("Read the statements of the writes with view writes.".to_owned());
        }
        next.push("State measured volumes (`-- @rows`, `-- @each`, `-- @rate`) for the assumptions, and design again; what-if shows what one change would do.".to_owned());
        next.push(
            "To keep the design, run `helenus design FILES -o DIR`: this server writes no files."
                .to_owned(),
        );
    }
    next
}
