//! The defaults that a write relies on.

use cql::Span;

use super::counter::WriteMode;
use super::parameter::{ParameterUse, ParameterUseKind, ValueTarget};
use super::resolver::Resolver;
use super::value::ValueOrNull;
use crate::concept::{AttributeRef, DefaultValue};
use crate::id::{AttributeId, EntityId, IdList};
use crate::workload::Value;

impl Resolver<'_> {
    /// The default of an attribute, in place of the word DEFAULT.
    pub(super) fn resolve_default(
        &mut self,
        attribute: AttributeRef,
        span: Span,
    ) -> Option<ValueOrNull> {
        let column = self.attribute(attribute);
        let Some(default) = &column.default else { return Some(ValueOrNull::Null) };
        match &default.value {
            DefaultValue::Constant(literal) => {
                Some(ValueOrNull::Value(Value::Literal(literal.clone())))
            }
            DefaultValue::Client(value) => {
                let usage = ParameterUse { attribute, kind: ParameterUseKind::Written };
                let target = ValueTarget { name: &column.name, ty: &column.ty, usage: Some(usage) };
                let position = self.resolve_client_value(*value, target);
                Some(ValueOrNull::Value(Value::Parameter(position)))
            }
            DefaultValue::Unsupported => {
                let name = &column.name;
                let message = format!(
                    "{} relies on the default of {name}, {}, which the client cannot compute",
                    self.name(),
                    default.sql
                );
                let help =
                    format!("set {name} in the statement, or declare a constant as its default");
                self.report("MF363", span, message, help);
                None
            }
        }
    }

    /// Adds the defaults of the attributes that an INSERT omits, and reports those that must have
    /// a value and have none.
    pub(super) fn add_defaults(
        &mut self,
        entity: EntityId,
        listed: &[AttributeId],
        given: &mut Vec<(AttributeId, Value)>,
        place: Span,
    ) {
        let own = &self.concept.entities[entity];
        let mut missing = Vec::new();
        for (position, column) in own.attributes.enumerate_ids() {
            if listed.contains(&position) || column.generated.is_some() {
                continue;
            }
            let attribute = AttributeRef { entity, attribute: position };
            match self.resolve_default(attribute, place) {
                Some(ValueOrNull::Value(value)) => {
                    let zero = value == Value::Literal("0".to_owned());
                    let how = if zero { WriteMode::InsertedZero } else { WriteMode::Defaulted };
                    self.record_write(attribute, how);
                    given.push((position, value));
                }
                Some(ValueOrNull::Null)
                    if !column.nullable
                        && !own.primary_key().contains(&position)
                        && self.concept.tenant.as_ref() != Some(&column.name) =>
                {
                    missing.push(column.name.as_str());
                }
                Some(ValueOrNull::Null) => self.record_write(attribute, WriteMode::InsertedNull),
                None => {}
            }
        }
        if !missing.is_empty() && self.errors.is_empty() {
            let missing = missing.join(", ");
            let message = format!(
                "{} sets no value for {missing} of {}, which must not be null and has no default",
                self.name(),
                own.name
            );
            let help = format!("insert a value for {missing}, or declare a default");
            self.report("MF367", place, message, help);
        }
    }
}
