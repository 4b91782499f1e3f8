//! The tool `what-if`: what one change of the model or its bounds does to the design.

use design::{Options, comparison, cost};
use model::plan::Design;
use model::sql::ModelFile;
use model::workload;

use super::design::{KEYS, read_keys};
use super::model_input::{self, DESIGN_PARAMETERS, MODEL_PARAMETERS};
use super::tool::{OFFSET, ParameterKind, ToolArguments, ToolCall, ToolEntry, ToolParameter};
use crate::cli::design::{design_model, unknown_name};
use crate::cli::option_values;
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::proof::Verdict;
use crate::render::brief::{Brief, BriefSection, shorten};
use crate::render::design::difference::ChangedDesign;
use crate::render::design::{DesignView, brief};

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "what-if",
    title: "Compare a changed design",
    description: "Designs a model as it is and with one change, and answers what the change does to tables, keys, the cost of each statement, the price and the dangers. Change the text of the model with `edits` (volumes, columns, queries), rates with `rates`, leave statements out with `without`, force `keys`, or set another bound or target.",
    parameters: &[
        MODEL_PARAMETERS,
        &[
            ToolParameter::new(
                "edits",
                ParameterKind::Edits,
                "Replacements in the text of the model; each `old` must occur exactly once: {\"old\": \"@rows 10M\", \"new\": \"@rows 1B\"}.",
            ),
            ToolParameter::new(
                "rates",
                ParameterKind::Texts,
                "Other rates of queries or writes: `AddVideo x10`, `UserById 500/s`.",
            ),
            ToolParameter::new(
                "without",
                ParameterKind::Texts,
                "Names of queries or writes to leave out.",
            ),
            KEYS,
        ],
        DESIGN_PARAMETERS,
        &[OFFSET],
    ],
    run,
};

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    let arguments = &call.arguments;
    let sources = model_input::read_sources(call.root, arguments)?;
    let before = match model_input::read_model(&sources) {
        Ok(file) => file,
        Err(answer) => return Ok(*answer),
    };
    let edits = arguments.edits("edits");
    let changed_sources = edit_sources(call, &edits)?;
    let mut after = match model_input::read_model(changed_sources.as_ref().unwrap_or(&sources)) {
        Ok(file) => file,
        Err(mut answer) => {
            answer.headline = format!("with the edits, {}", answer.headline);
            return Ok(*answer);
        }
    };
    change_workload(arguments, &mut after)?;
    let mut options = model_input::read_options(arguments)?;
    options.keys = read_keys(arguments, &after)?;
    let changes = describe_changes(arguments);
    if changes.is_empty() {
        let message = "nothing is changed: pass edits, rates, without, keys, or another bound such as max_partition";
        return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
    }
    let base = model_input::read_options(&ToolArguments::default())?;
    let unchanged = design_model(&before, &base)?;
    let designed = design_model(&after, &options)?;
    let is_comparable =
        edits.is_empty() && arguments.texts("without").is_empty() && options.keys.is_empty();
    let change = compare((&before, &unchanged), (&after, &designed), &options, is_comparable);
    let subject = DesignView {
        file: &after,
        design: &designed,
        rules_only: options.rules_only,
        proof: &Verdict::Skipped,
        sources: Some(changed_sources.as_ref().unwrap_or(&sources)),
        ranking: None,
        series: &[],
    };
    Ok(describe(subject, &change, &changes))
}

fn describe(subject: DesignView<'_>, change: &ChangedDesign<'_>, changes: &[String]) -> Brief {
    let items = brief::changes(subject, change);
    let outcome =
        if items.is_empty() { "the same tables, plans and dangers" } else { "the design changes" };
    let mut facts = vec![("change", changes.join("; ").into())];
    facts.extend(brief::price_change(subject, change).map(|price| ("price", price.into())));
    facts.push(("optimal", brief::verdict(subject).into()));
    let next = if items.is_empty() {
        vec!["The design is not sensitive to this; try a larger change, or keep it.".to_owned()]
    } else {
        vec![
            "To see the changed design in full, make the change in the model and call design."
                .to_owned(),
        ]
    };
    let section = BriefSection::new("changes", items, usize::MAX, "call what-if with offset {}");
    Brief { headline: outcome.to_owned(), facts, sections: vec![section], next, is_error: false }
}

/// What the changed design does otherwise.
fn compare<'a>(
    (before, unchanged): (&ModelFile, &'a Design),
    (after, designed): (&ModelFile, &Design),
    options: &Options,
    is_comparable: bool,
) -> ChangedDesign<'a> {
    // With the same statements, the plans serve the changed rates, too.
    let kept = || cost::design_cost(&after.concept, &after.workload, unchanged, options).total();
    ChangedDesign {
        before: unchanged,
        difference: comparison::compare((&before.workload, unchanged), (&after.workload, designed)),
        kept: is_comparable.then(kept),
    }
}

/// The model with its text edited; `None` without edits.
fn edit_sources(
    call: &ToolCall<'_>,
    edits: &[(&str, &str)],
) -> Result<Option<ModelSources>, Failure> {
    const SHOWN_BYTES: usize = 80;
    if edits.is_empty() {
        return Ok(None);
    }
    let mut sources = model_input::read_sources(call.root, &call.arguments)?;
    for (old, new) in edits {
        sources.replace_once(old, new).map_err(|count| {
            let old = shorten(old, SHOWN_BYTES);
            let message = if count == 0 {
                format!("`edits`: the model does not contain `{old}`")
            } else {
                format!("`edits`: the model contains `{old}` {count} times; quote more of its surroundings")
            };
            Failure::Stopped(Outcome::BadInput, message)
        })?;
    }
    Ok(Some(sources))
}

/// Applies the arguments `rates` and `without`.
fn change_workload(arguments: &ToolArguments, file: &mut ModelFile) -> Result<(), Failure> {
    for text in arguments.texts("rates") {
        let (name, rate) = option_values::what_if(text).map_err(|message| {
            Failure::Stopped(Outcome::BadInput, format!("`rates`: {message}"))
        })?;
        if !workload::change_rate(&mut file.concept, &mut file.workload, &name, rate) {
            return Err(unknown_name("`rates`", file, &name));
        }
    }
    for name in arguments.texts("without") {
        file.workload = match file.workload.exclude(&file.concept, name) {
            Some(remaining) => remaining,
            None => return Err(unknown_name("`without`", file, name)),
        };
    }
    Ok(())
}

/// The changes in words.
fn describe_changes(arguments: &ToolArguments) -> Vec<String> {
    const SHOWN_BYTES: usize = 60;
    let mut changes = Vec::new();
    for (old, new) in arguments.edits("edits") {
        changes.push(format!(
            "`{}` becomes `{}`",
            shorten(old, SHOWN_BYTES),
            shorten(new, SHOWN_BYTES)
        ));
    }
    for (name, word) in [("rates", "rate"), ("without", "without"), ("keys", "key")] {
        changes.extend(arguments.texts(name).iter().map(|it| format!("{word} {it}")));
    }
    for name in ["max_partition", "max_rows", "target"] {
        changes.extend(arguments.text(name).map(|value| format!("{name} {value}")));
    }
    changes.extend(arguments.number("max_tables").map(|most| format!("max_tables {most}")));
    for name in ["rules_only", "allow_views"] {
        changes.extend(arguments.has_flag(name).then(|| name.to_owned()));
    }
    changes
}
