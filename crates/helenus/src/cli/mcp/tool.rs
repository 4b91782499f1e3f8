//! The tools as data: name, description, parameters and function, listed in [`TOOLS`].

use serde_json::{Map, Value, json};

use super::project_root::ProjectRoot;
use super::{check, design, estimate, explain, rule, run, what_if};
use crate::outcome::Failure;
use crate::render::brief::Brief;

/// The tools, in the order in which they are listed.
pub(super) static TOOLS: [ToolEntry; 7] = [
    design::TOOL,
    what_if::TOOL,
    check::TOOL,
    explain::TOOL,
    estimate::TOOL,
    run::TOOL,
    rule::TOOL,
];

/// The longest text of an argument that names something.
const ECHO_BYTES_MAX: usize = 80;

/// A tool.
pub(super) struct ToolEntry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) parameters: &'static [&'static [ToolParameter]],
    pub(super) run: fn(&ToolCall<'_>) -> Result<Brief, Failure>,
}

/// A call of a tool.
pub(super) struct ToolCall<'a> {
    pub(super) root: &'a ProjectRoot,
    pub(super) arguments: ToolArguments,
}

/// A parameter of a tool.
pub(super) struct ToolParameter {
    pub(super) name: &'static str,
    pub(super) kind: ParameterKind,
    pub(super) is_required: bool,
    pub(super) description: &'static str,
}

/// The kind of the values of a parameter.
#[derive(Clone, Copy)]
pub(super) enum ParameterKind {
    /// One text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Several texts.
    Texts,
    /// A whole number, from 0 to the limit.
    Number(u64),
    /// Yes or no.
    Flag,
    /// Replacements: objects with the texts `old` and `new`.
    Edits,
}

/// The names of the fields of [`ParameterKind::Edits`].
const EDIT_FIELDS: [&str; 2] = ["old", "new"];

impl ToolParameter {
    pub(super) const fn new(
        name: &'static str,
        kind: ParameterKind,
        description: &'static str,
    ) -> Self {
        Self { name, kind, is_required: false, description }
    }

    /// The same, without which a call makes no sense.
    pub(super) const fn mandatory(self) -> Self {
        Self { is_required: true, ..self }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ParameterKind::Text => json!({ "type": "string" }),
            ParameterKind::Word(words) => json!({ "type": "string", "enum": words }),
            ParameterKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            ParameterKind::Number(most) => {
                json!({ "type": "integer", "minimum": 0, "maximum": most })
            }
            ParameterKind::Flag => json!({ "type": "boolean" }),
            ParameterKind::Edits => json!({
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "old": { "type": "string" }, "new": { "type": "string" } },
                    "required": EDIT_FIELDS,
                    "additionalProperties": false,
                },
            }),
        };
        schema["description"] = self.description.into();
        schema
    }

    /// Whether a value is of the kind; a single text stands for a list of one.
    fn has_kind(&self, value: &Value) -> bool {
        let is_list_of = |is_item: fn(&Value) -> bool| {
            value.as_array().is_some_and(|items| items.iter().all(is_item))
        };
        match self.kind {
            ParameterKind::Text => value.is_string(),
            ParameterKind::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            ParameterKind::Texts => value.is_string() || is_list_of(Value::is_string),
            ParameterKind::Number(most) => value.as_u64().is_some_and(|number| number <= most),
            ParameterKind::Flag => value.is_boolean(),
            ParameterKind::Edits => is_list_of(|item| {
                item.as_object().is_some_and(|edit| {
                    edit.len() == EDIT_FIELDS.len()
                        && EDIT_FIELDS
                            .iter()
                            .all(|name| edit.get(*name).is_some_and(Value::is_string))
                })
            }),
        }
    }

    fn expectation(&self) -> String {
        match self.kind {
            ParameterKind::Text => "a string".to_owned(),
            ParameterKind::Word(words) => format!("one of {}", words.join(", ")),
            ParameterKind::Texts => "an array of strings".to_owned(),
            ParameterKind::Number(most) => format!("a whole number from 0 to {most}"),
            ParameterKind::Flag => "true or false".to_owned(),
            ParameterKind::Edits => {
                "an array of objects with the strings `old` and `new`".to_owned()
            }
        }
    }
}

impl ToolEntry {
    /// The tool of that name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    fn list_parameters(&self) -> impl Iterator<Item = &'static ToolParameter> + Clone {
        self.parameters.iter().copied().flatten()
    }

    /// The JSON schema of the arguments.
    pub(super) fn schema(&self) -> Map<String, Value> {
        let properties = self.list_parameters().map(|it| (it.name.to_owned(), it.schema()));
        let properties: Map<String, Value> = properties.collect();
        let required = self.list_parameters().filter(|it| it.is_required);
        let required: Vec<_> = required.map(|it| it.name).collect();
        let fields: [(&str, Value); 4] = [
            ("type", "object".into()),
            ("properties", Value::Object(properties)),
            ("required", required.into()),
            ("additionalProperties", false.into()),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Checks the arguments of a call; all mistakes are named.
    pub(super) fn read_arguments(
        &self,
        mut given: Map<String, Value>,
    ) -> Result<ToolArguments, String> {
        let mut mistakes = Vec::new();
        // A client may send null for what its user left out.
        given.retain(|_, value| !value.is_null());
        for (name, value) in &given {
            match self.list_parameters().find(|it| it.name == name) {
                None => {
                    let names = self.list_parameters().map(|it| it.name);
                    let all = names.clone().collect::<Vec<_>>().join(", ");
                    let hint = match cql::spelling::find_nearest(name, names) {
                        None => format!("; {} takes {all}", self.name),
                        nearest => cql::spelling::hint(nearest),
                    };
                    let name = crate::render::brief::shorten(name, ECHO_BYTES_MAX);
                    mistakes.push(format!("unknown argument `{name}`{hint}"));
                }
                Some(parameter) if !parameter.has_kind(value) => {
                    mistakes.push(format!("`{name}` must be {}", parameter.expectation()));
                }
                Some(_) => {}
            }
        }
        for parameter in self.list_parameters().filter(|it| it.is_required) {
            if !given.contains_key(parameter.name) {
                mistakes.push(format!(
                    "`{}` is missing: {}",
                    parameter.name,
                    parameter.description.trim_end_matches('.')
                ));
            }
        }
        if mistakes.is_empty() { Ok(ToolArguments(given)) } else { Err(mistakes.join("\n")) }
    }
}

/// The arguments of a call, of which each has the kind of its parameter.
#[derive(Default)]
pub(super) struct ToolArguments(Map<String, Value>);

impl ToolArguments {
    /// A text that is not blank.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    pub(super) fn texts(&self, name: &str) -> Vec<&str> {
        match self.0.get(name) {
            Some(Value::String(text)) => vec![text],
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        usize::try_from(self.0.get(name)?.as_u64()?).ok()
    }

    /// Whether a flag is set.
    pub(super) fn has_flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The replacements, each with its old and its new text.
    pub(super) fn edits(&self, name: &str) -> Vec<(&str, &str)> {
        let edits = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        edits.filter_map(|edit| Some((edit["old"].as_str()?, edit["new"].as_str()?))).collect()
    }

    /// The position from which the items of the answer are shown.
    pub(super) fn offset(&self) -> usize {
        self.number("offset").unwrap_or_default()
    }
}

/// The parameter of all tools whose answers may be long.
pub(super) const OFFSET: ToolParameter = ToolParameter::new(
    "offset",
    ParameterKind::Number(1_000_000),
    "Show the items of the lists from this position on, as an earlier answer said.",
);

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(tool: &str, given: Value) -> Result<ToolArguments, String> {
        let Value::Object(given) = given else { panic!("arguments are an object") };
        ToolEntry::find(tool).expect("it is listed").read_arguments(given)
    }

    #[test]
    fn mistakes_are_named_with_what_to_write() {
        let message = |given| arguments("rule", given).err().unwrap_or_default();
        assert_eq!(
            message(json!({ "cod": "PK001" })),
            "unknown argument `cod`; did you mean code?"
        );
        assert_eq!(message(json!({ "code": 7 })), "`code` must be a string");
        assert_eq!(message(json!({ "code": "PK001", "search": null })), "");
        let missing = arguments("explain", json!({})).err().unwrap();
        assert!(missing.starts_with("`statement` is missing: "), "{missing}");
        assert!(arguments("what-if", json!({ "edits": [{ "old": "a" }] })).is_err());
    }

    #[test]
    fn schemas_describe_every_parameter() {
        for tool in &TOOLS {
            let schema = Value::Object(tool.schema());
            for parameter in tool.list_parameters() {
                let property = &schema["properties"][parameter.name];
                assert!(property["description"].as_str().unwrap().len() > 10, "{}", tool.name);
            }
            let names: Vec<_> = tool.list_parameters().map(|it| it.name).collect();
            let distinct: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(distinct.len(), names.len(), "{}", tool.name);
        }
    }
}
