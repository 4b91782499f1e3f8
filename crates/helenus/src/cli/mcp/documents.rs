//! The resources (the model language, the rule book) and the prompts.

use rmcp::model::{
    ErrorData, GetPromptResult, Prompt, PromptArgument, PromptMessage, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, Role,
};
use serde_json::{Map, Value};
use std::fmt::Write as _;

use super::rule;
use crate::cli::help::{MODEL_PAGE, find_section};

const MARKDOWN: &str = "text/markdown";
const MODEL: &str = "helenus://docs/model";
const DIRECTIVES: &str = "helenus://docs/model/directives";
const RULES: &str = "helenus://rules";

/// The pages, each with its name and description.
const PAGES: [(&str, &str, &str); 3] = [
    (
        MODEL,
        "Model language",
        "How to write a model: tables, queries, volumes, and what every message means.",
    ),
    (
        DIRECTIVES,
        "Directives",
        "The directives of a model (@rows, @each, @rate, ...), in one table.",
    ),
    (
        RULES,
        "Rule book",
        "The codes and names of all rules; each has a page at helenus://rules/CODE.",
    ),
];

/// A prompt: its name, what it is for, its argument with a description, and its text, in which `{}`
/// stands for the argument.
struct PromptEntry {
    name: &'static str,
    description: &'static str,
    argument: (&'static str, &'static str),
    text: &'static str,
}

const PROMPTS: [PromptEntry; 2] = [
    PromptEntry {
        name: "design-tables",
        description: "Design Cassandra tables for an application",
        argument: ("application", "What the application does, or the paths of its SQL files"),
        text: "Design Cassandra tables for this application: {}\n\n1. Read the resource helenus://docs/model.\n2. Write the SQL tables and every query and write as a model, or use the SQL files as they are. State the volumes that are known; ask me for the three that matter most.\n3. Call the tool design. Resolve what it refuses and what it warns about.\n4. For each influential assumption, call what-if with a smaller and a larger figure.\n5. Show me the tables, the CQL of each query, the dangers that remain and the assumptions they rest on.",
    },
    PromptEntry {
        name: "review-cql",
        description: "Review a CQL schema and the statements that use it",
        argument: ("paths", "Files or directories with the schema and the code"),
        text: "Review the Cassandra schema and statements in: {}\n\n1. Call check on these paths.\n2. For the most severe codes, call rule and explain in your own words why they matter here.\n3. Call explain for the queries that run most often, and estimate for the growth of partitions; state volumes in comments of the schema if they are known.\n4. Propose changes, the most urgent first, with the CQL of each, and check the result with run.",
    },
];

/// The resources.
pub(super) fn list_resources() -> Vec<Resource> {
    let resource = |(uri, name, description)| {
        Resource::new(uri, name).with_description(description).with_mime_type(MARKDOWN)
    };
    PAGES.map(resource).into()
}

/// The addresses of the pages of rules.
pub(super) fn list_templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new(format!("{RULES}/{{code}}"), "Page of a rule")
        .with_description("What a rule or message means, by its code: PK001, DR003, MF213, MR3.")
        .with_mime_type(MARKDOWN);
    vec![template]
}

/// The text of a resource.
pub(super) fn read_resource(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = match uri {
        MODEL => Some(MODEL_PAGE.to_owned()),
        DIRECTIVES => Some(find_section(MODEL_PAGE, "Directives")),
        RULES => Some(write_rule_list()),
        _ => uri.strip_prefix(RULES).and_then(|it| it.strip_prefix('/')).and_then(rule::find_page),
    };
    let Some(text) = text else {
        let known: Vec<_> = PAGES.iter().map(|(uri, ..)| *uri).collect();
        let message = format!("unknown resource; there are {} and {RULES}/CODE", known.join(", "));
        return Err(ErrorData::resource_not_found(message, None));
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

/// The list of all rules, a line each.
fn write_rule_list() -> String {
    let mut text = "# Rules\n\n".to_owned();
    for (code, name, category, severity) in rule::list_rules() {
        let _ = writeln!(text, "- {code} {name} ({severity}, {category})");
    }
    text
}

/// The prompts.
pub(super) fn list_prompts() -> Vec<Prompt> {
    let prompt = |it: &PromptEntry| {
        let (name, description) = it.argument;
        let argument = PromptArgument::new(name).with_description(description).with_required(true);
        Prompt::new(it.name, Some(it.description), Some(vec![argument]))
    };
    PROMPTS.iter().map(prompt).collect()
}

/// A prompt with its argument.
pub(super) fn write_prompt(
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<GetPromptResult, ErrorData> {
    let Some(prompt) = PROMPTS.iter().find(|prompt| prompt.name == name) else {
        let names: Vec<_> = PROMPTS.iter().map(|prompt| prompt.name).collect();
        let message = format!("unknown prompt; there are {}", names.join(", "));
        return Err(ErrorData::invalid_params(message, None));
    };
    let Some(value) = arguments.get(prompt.argument.0).and_then(Value::as_str) else {
        let message = format!("the argument `{}` is missing", prompt.argument.0);
        return Err(ErrorData::invalid_params(message, None));
    };
    let text = prompt.text.replace("{}", value);
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
