//! [`Brief`]: a short answer for a program that reads on someone's behalf, such as a coding
//! assistant: a headline, facts, sections of items, and what to do next.
//!
//! Every item has a text and the same as data, and both are cut together: what does not fit into the
//! budget is counted, with the place from which to read on.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::excerpt::floor_char_boundary;

/// The bytes that the text, and the data, may take.
const ANSWER_BYTES_MAX: usize = 16_000;
/// The bytes of one item; a longer one is cut.
const ITEM_BYTES_MAX: usize = 4_000;
/// The bytes of the headline, which may be a whole page.
const HEADLINE_BYTES_MAX: usize = 12_000;
/// The bytes of one text within the data of an item.
const STRING_BYTES_MAX: usize = 2_000;

/// An entry of a section.
pub(crate) struct BriefItem {
    pub(crate) data: Value,
    /// One line or several, without a newline at the end.
    pub(crate) text: String,
}

/// A list of entries.
pub(crate) struct BriefSection {
    /// Its key in the data, which is also its heading.
    pub(crate) name: &'static str,
    pub(crate) items: Vec<BriefItem>,
    /// The number of items that are shown at most; further ones are counted.
    pub(crate) most: usize,
    /// How to read the items that are left out; `{}` stands for the position of the first of them.
    pub(crate) more: String,
}

/// An answer.
#[derive(Default)]
pub(crate) struct Brief {
    pub(crate) headline: String,
    /// Further facts, in the data and, as `name: value`, in the text.
    pub(crate) facts: Vec<(&'static str, Value)>,
    pub(crate) sections: Vec<BriefSection>,
    /// What to do next, one sentence each.
    pub(crate) next: Vec<String>,
    /// Whether the request was refused or failed.
    pub(crate) is_error: bool,
}

/// An answer within the budget.
pub(crate) struct BriefAnswer {
    pub(crate) text: String,
    pub(crate) data: Value,
}

impl BriefSection {
    /// A section whose first items are shown, from a position on.
    pub(crate) fn new(name: &'static str, items: Vec<BriefItem>, most: usize, more: &str) -> Self {
        Self { name, items, most, more: more.to_owned() }
    }
}

impl Brief {
    /// An answer that says why there is none.
    pub(crate) fn refusal(message: impl Into<String>) -> Self {
        Self { headline: message.into(), is_error: true, ..Self::default() }
    }

    /// The answer within the budget, with the items of its sections from `offset` on.
    pub(crate) fn finish(&self, offset: usize) -> BriefAnswer {
        let headline = shorten(&self.headline, HEADLINE_BYTES_MAX);
        let mut text = format!("{headline}\n");
        let mut data = Map::new();
        data.insert("summary".to_owned(), headline.into());
        for (name, value) in &self.facts {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = writeln!(text, "{}: {shown}", name.replace('_', " "));
            data.insert((*name).to_owned(), value.clone());
        }
        let mut left_over = Map::new();
        let mut data_bytes = 0;
        for section in &self.sections {
            if !section.items.is_empty() {
                let _ = writeln!(text, "\n## {}", section.name.replace('_', " "));
            }
            let mut shown = Vec::new();
            for item in section.items.iter().skip(offset).take(section.most) {
                let (item_text, item_data) = (shorten(&item.text, ITEM_BYTES_MAX), fit(&item.data));
                let bytes = item_data.to_string().len();
                let is_full = text.len() + item_text.len() > ANSWER_BYTES_MAX
                    || data_bytes + bytes > ANSWER_BYTES_MAX;
                if is_full && !shown.is_empty() {
                    break;
                }
                let _ = writeln!(text, "{item_text}");
                data_bytes += bytes;
                shown.push(item_data);
            }
            let end = offset.min(section.items.len()) + shown.len();
            let rest = section.items.len() - end;
            if rest > 0 {
                let how = section.more.replace("{}", &end.to_string());
                let _ = writeln!(text, "({rest} more: {how})");
                left_over
                    .insert(section.name.to_owned(), json!({ "count": rest, "read_with": how }));
            }
            data.insert(section.name.to_owned(), Value::Array(shown));
        }
        if !left_over.is_empty() {
            data.insert("left_out".to_owned(), Value::Object(left_over));
        }
        if !self.next.is_empty() {
            text.push_str("\n## next\n");
            for step in &self.next {
                let _ = writeln!(text, "- {step}");
            }
            data.insert("next".to_owned(), json!(self.next));
        }
        BriefAnswer { text, data: Value::Object(data) }
    }
}

/// The data of an item within its budget: long texts are cut, and what is still too long is a text.
fn fit(data: &Value) -> Value {
    let cut = shorten_strings(data, 0);
    let text = cut.to_string();
    if text.len() <= ITEM_BYTES_MAX { cut } else { shorten(&text, STRING_BYTES_MAX).into() }
}

/// The value with its long texts cut, and without what is not known.
fn shorten_strings(data: &Value, depth: usize) -> Value {
    /// Our data is never nested deeper.
    const DEPTH_MAX: usize = 16;
    match data {
        Value::String(text) => shorten(text, STRING_BYTES_MAX).into(),
        _ if depth > DEPTH_MAX => Value::Null,
        Value::Array(items) => items.iter().map(|item| shorten_strings(item, depth + 1)).collect(),
        Value::Object(fields) => {
            let known = fields.iter().filter(|(_, value)| !value.is_null());
            let fields =
                known.map(|(name, value)| (name.clone(), shorten_strings(value, depth + 1)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// What was written for a terminal, without its styles.
pub(crate) fn plain_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    anstream::adapter::strip_str(&text).to_string().trim().to_owned()
}

/// The beginning of a long text, with the number of bytes that follow.
pub(crate) fn shorten(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let end = floor_char_boundary(text, bytes_max);
    format!("{} [{} more bytes]", text.get(..end).unwrap_or_default(), text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(number: usize, bytes: usize) -> Vec<BriefItem> {
        let item = |at: usize| BriefItem {
            data: json!({ "at": at, "text": "x".repeat(bytes) }),
            text: format!("{at} {}", "x".repeat(bytes)),
        };
        (0..number).map(item).collect()
    }

    fn brief(number: usize, bytes: usize, most: usize) -> Brief {
        let section = BriefSection::new("things", items(number, bytes), most, "offset {}");
        Brief { headline: "things".to_owned(), sections: vec![section], ..Brief::default() }
    }

    #[test]
    fn pages_cover_all_items_once() {
        let brief = brief(500, 300, usize::MAX);
        let mut seen = Vec::new();
        let mut offset = 0;
        loop {
            let BriefAnswer { text, data } = brief.finish(offset);
            assert!(text.len() < 2 * ANSWER_BYTES_MAX && data.to_string().len() < 30_000);
            let shown = data["things"].as_array().unwrap();
            seen.extend(shown.iter().map(|item| item["at"].as_u64().unwrap()));
            let Some(more) = data["left_out"]["things"]["read_with"].as_str() else { break };
            offset = more.trim_start_matches("offset ").parse().unwrap();
        }
        assert_eq!(seen, (0..500).collect::<Vec<u64>>());
    }

    #[test]
    fn an_item_of_any_size_fits() {
        let BriefAnswer { text, data } = brief(1, 10_000_000, 5).finish(0);
        assert!(text.len() < 10_000 && data.to_string().len() < 10_000);
        let BriefAnswer { data, .. } = brief(3, 10, 2).finish(7);
        assert_eq!(data["things"], json!([]));
    }
}
