//! Model files read.

mod comparisons;
mod defaults;
mod dump;
mod example;
mod expression_keys;
mod files;
mod generations;
mod growth;
mod hostile;
mod mistakes;
mod mysql;
mod row_ids;
mod tables;
mod triggers;
mod volumes;

use cql::DiagnosticLevel;

use super::*;
use crate::assumption::AssumptionTopic;
use crate::concept::{Attribute, Entity};
use crate::id::AttributeId;

/// A file that has nothing wrong.
fn read_model(text: &str) -> ModelFile {
    read(text, "app").unwrap_or_else(|errors| panic!("{}", render_errors(text, &errors)))
}

/// What is wrong with a file: rules and underlined texts.
fn error_places(text: &str) -> Vec<(&'static str, &str)> {
    let errors = read(text, "app").expect_err("a mistake");
    for error in &errors {
        assert!(error.help.as_ref().is_some_and(|help| !help.is_empty()), "{error:?}");
        assert_eq!(error.level, DiagnosticLevel::Error);
    }
    errors.iter().map(|error| (error.rule, error.span.text(text))).collect()
}

/// The help of the only error.
fn only_help(text: &str) -> String {
    let errors = read(text, "app").expect_err("a mistake");
    let [error] = errors.as_slice() else { panic!("{}", render_errors(text, &errors)) };
    error.help.clone().unwrap()
}

/// What is odd in a file: rules and underlined texts.
fn list_warnings<'a>(text: &'a str, model: &ModelFile) -> Vec<(&'static str, &'a str)> {
    model.warnings.iter().map(|warning| (warning.rule, warning.span.text(text))).collect()
}

fn render_errors(text: &str, errors: &[Diagnostic]) -> String {
    let line = |it: &Diagnostic| format!("{} {} [{}]\n", it.rule, it.message, it.span.text(text));
    errors.iter().map(line).collect()
}

impl ModelFile {
    fn entity(&self, name: &str) -> &Entity {
        &self.concept.entities[self.concept.entity_named(name).unwrap()]
    }

    fn attribute(&self, entity: &str, name: &str) -> &Attribute {
        let entity = self.entity(entity);
        &entity.attributes[entity.attribute_named(name).unwrap()]
    }

    /// Types of an entity's attributes, as CQL writes them.
    fn types(&self, entity: &str) -> Vec<String> {
        let shown = self.entity(entity).attributes.iter().filter(|attribute| !attribute.hidden);
        shown.map(|attribute| attribute.ty.to_string()).collect()
    }

    /// The keys of an entity by name.
    fn keys(&self, entity: &str) -> Vec<Vec<&str>> {
        let entity = self.entity(entity);
        let name = |at: &AttributeId| entity.attributes[*at].name.as_str();
        entity.keys.iter().map(|key| key.iter().map(name).collect()).collect()
    }
}
