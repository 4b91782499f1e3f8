//! The tool `rule`: what a code means, and which codes there are about a subject.

use serde_json::json;

use super::tool::{OFFSET, ParameterKind, ToolCall, ToolEntry, ToolParameter};
use crate::cli::model_codes::{self, ModelCode};
use crate::cli::rule::find_cluster_rule;
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefItem, BriefSection, plain_text};

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "rule",
    title: "Explain a rule",
    description: "Explains a code that another tool reported, such as PK001, DR003, MF213 or MR3: why it matters, what to write instead, when to ignore it. Or searches the rules by words of their names and categories.",
    parameters: &[&[
        ToolParameter::new(
            "code",
            ParameterKind::Text,
            "Code or name of a rule, such as PK001 or needless-allow-filtering.",
        ),
        ToolParameter::new(
            "search",
            ParameterKind::Text,
            "Words to search for in codes, names and categories, such as `tombstone` or `partition-key`.",
        ),
        OFFSET,
    ]],
    run,
};

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    match (call.arguments.text("code"), call.arguments.text("search")) {
        (Some(code), _) => find_page(code.trim())
            .map(|page| Brief { headline: page, ..Brief::default() })
            .ok_or_else(|| crate::cli::rule::unknown_rule(code.trim())),
        (None, Some(words)) => Ok(search(words)),
        (None, None) => {
            let message = "pass a `code` such as PK001, or words to `search` for";
            Err(Failure::Stopped(Outcome::BadInput, message.to_owned()))
        }
    }
}

/// The page of a rule or code, in Markdown.
pub(super) fn find_page(name: &str) -> Option<String> {
    let code = name.to_ascii_uppercase();
    if let Some(known) = model_codes::find_code(&code) {
        let mut page = Vec::new();
        // Writing to memory cannot fail.
        let _ = model_codes::write_page(&known, &mut page);
        return Some(plain_text(&page));
    }
    if let Some(rule) = find_cluster_rule(&code, name) {
        return Some(rule.page.to_owned());
    }
    let rule = check::rules::find(&code)
        .or_else(|| check::rules::all().find(|rule| rule.name.eq_ignore_ascii_case(name)));
    rule.map(|rule| rule.page.to_owned())
}

/// The rules that have all the words in their code, name or category.
fn search(words: &str) -> Brief {
    let words: Vec<String> = words.split_whitespace().map(str::to_ascii_lowercase).collect();
    let items: Vec<BriefItem> = list_rules()
        .into_iter()
        .filter(|(code, name, category, _)| {
            let text = format!("{code} {name} {category}").to_ascii_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        })
        .map(|(code, name, category, severity)| BriefItem {
            text: format!("- {code} {name} ({severity}, {category})"),
            data: json!({ "code": code, "name": name, "category": category, "severity": severity }),
        })
        .collect();
    let headline = format!("{} found", super::model_input::count(items.len(), "rule"));
    let next = if items.is_empty() {
        "Try another word, such as partition, tombstone, batch, index or counter."
    } else {
        "Call rule with a code for its page."
    };
    let section =
        BriefSection::new("rules", items, 60, "call rule with the same search and offset {}");
    Brief { headline, sections: vec![section], next: vec![next.to_owned()], ..Brief::default() }
}

/// All rules, with code, name, category and severity.
pub(super) fn list_rules() -> Vec<(String, String, String, &'static str)> {
    let of_schemas = check::rules::all().map(|rule| {
        let category = rule.category.name().to_owned();
        (rule.code.to_owned(), rule.name.to_owned(), category, rule.severity.word())
    });
    let of_clusters = doctor::rules::all().map(|rule| {
        let category = format!("cluster, {}", rule.category.name());
        (rule.code.to_owned(), rule.name.to_owned(), category, rule.severity.word())
    });
    let codes = model_codes::list_codes().into_iter();
    let codes =
        codes.map(|ModelCode { code, says, .. }| (code, says, "model file".to_owned(), "message"));
    of_schemas.chain(of_clusters).chain(codes).collect()
}
