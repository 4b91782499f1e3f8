//! The native functions that are made to measure: for the types of the arguments, or of the receiver.

use std::sync::Arc;

use cql::types::{Frozen, NativeType, Type};

use super::parameter::Parameter;
use super::resolve::Call;
use super::{Function, FunctionKind, FunctionName};
use crate::bind::context::Context;
use crate::bind::term::{cast_failure, class_of};
use crate::refusal::FunctionReason;
use crate::{Refusal, Result};

use NativeType as N;

/// A native function without a signature of its own.
pub(super) struct Factory {
    name: &'static str,
    parameters: &'static [Parameter],
    make: Make,
}

/// What comes of the arguments' types.
#[derive(Clone, Copy)]
enum Make {
    /// The token of the receiver's table.
    Token,
    /// Any value to text.
    ToJson,
    /// Text to the receiver's type.
    FromJson,
    /// The greatest or least of many rows.
    Aggregate,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
    /// How many elements.
    Count,
    /// One element, or a number made of all.
    Element,
    /// The type of the first argument.
    First,
    /// A blob.
    Hash,
    /// How alike two vectors are.
    Similarity,
}

const ANY: Parameter = Parameter::Any { from_receiver: false };
const ANY_OR_RECEIVER: Parameter = Parameter::Any { from_receiver: true };
const PARTIAL: [Parameter; 4] = [
    Parameter::Text,
    Parameter::Native(N::Int),
    Parameter::Native(N::Int),
    Parameter::Optional(N::Text),
];
const VECTORS: [Parameter; 2] = [Parameter::Vector(1), Parameter::Vector(0)];

const fn factory(name: &'static str, parameters: &'static [Parameter], make: Make) -> Factory {
    Factory { name, parameters, make }
}

static FACTORIES: [Factory; 23] = [
    factory("token", &[], Make::Token),
    factory("to_json", &[ANY], Make::ToJson),
    factory("tojson", &[ANY], Make::ToJson),
    factory("from_json", &[Parameter::Native(N::Text)], Make::FromJson),
    factory("fromjson", &[Parameter::Native(N::Text)], Make::FromJson),
    factory("max", &[ANY_OR_RECEIVER], Make::Aggregate),
    factory("min", &[ANY_OR_RECEIVER], Make::Aggregate),
    factory("map_keys", &[Parameter::Map], Make::Keys),
    factory("map_values", &[Parameter::Map], Make::Values),
    factory("collection_count", &[Parameter::Collection], Make::Count),
    factory("collection_min", &[Parameter::SetOrList], Make::Element),
    factory("collection_max", &[Parameter::SetOrList], Make::Element),
    factory("collection_sum", &[Parameter::NumericSetOrList], Make::Element),
    factory("collection_avg", &[Parameter::NumericSetOrList], Make::Element),
    factory("mask_null", &[ANY], Make::First),
    factory("mask_replace", &[ANY_OR_RECEIVER, Parameter::SameAs(0)], Make::First),
    factory("mask_default", &[ANY], Make::First),
    factory("mask_hash", &[ANY, Parameter::Optional(N::Text)], Make::Hash),
    factory("mask_inner", &PARTIAL, Make::First),
    factory("mask_outer", &PARTIAL, Make::First),
    factory("similarity_cosine", &VECTORS, Make::Similarity),
    factory("similarity_euclidean", &VECTORS, Make::Similarity),
    factory("similarity_dot_product", &VECTORS, Make::Similarity),
];

/// The factory of that name.
pub(super) fn named(name: &str) -> Option<&'static Factory> {
    FACTORIES.iter().find(|factory| factory.name == name)
}

impl Factory {
    /// The function for a call.
    pub(super) fn function(&self, cx: &Context<'_>, call: &Call<'_>) -> Result<Arc<Function>> {
        let (arguments, returns, kind) = if matches!(self.make, Make::Token) {
            (self.partition_key(cx, call)?, N::Bigint.into(), FunctionKind::Scalar)
        } else {
            let types = self.argument_types(cx, call)?;
            let returns = self.result_type(&types, call)?;
            let kind = match self.make {
                Make::Aggregate => FunctionKind::Aggregate,
                _ => FunctionKind::Scalar,
            };
            (self.signature(types), returns, kind)
        };
        Ok(Arc::new(Function { name: FunctionName::system(self.name), arguments, returns, kind }))
    }

    fn text(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        format!("system.{}({})", self.name, parameters.join(", "))
    }

    /// Two rounds: the first finds the types that arguments have on their own, the second those that follow from
    /// other arguments, and refuses what does not fit.
    fn argument_types(&self, cx: &Context<'_>, call: &Call<'_>) -> Result<Vec<Type>> {
        let mandatory = self.parameters.iter().filter(|parameter| !parameter.is_optional()).count();
        if !(mandatory..=self.parameters.len()).contains(&call.arguments.len()) {
            return Err(Refusal::new(
                FunctionReason::ArgumentCount { function: self.text() },
                call.span,
            )
            .into());
        }
        let pairs = || self.parameters.iter().zip(call.arguments);
        let mut types = pairs()
            .map(|(parameter, argument)| parameter.infer(cx, *argument, call.receiver, None))
            .collect::<Result<Vec<Option<Type>>>>()?;
        let mut found = Vec::with_capacity(types.len());
        for (i, (parameter, argument)) in pairs().enumerate() {
            let ty = parameter.infer(cx, *argument, call.receiver, Some(&types))?;
            let Some(ty) = ty else {
                return Err(Refusal::new(
                    FunctionReason::UninferredArgument {
                        argument: argument.text(cx, call.keyspace),
                        function: self.text(),
                    },
                    call.span,
                )
                .into());
            };
            parameter.check(cx, &FunctionName::system(self.name), (*argument, &ty), call.span)?;
            if let Some(slot) = types.get_mut(i) {
                *slot = Some(ty.clone());
            }
            found.push(ty);
        }
        Ok(found)
    }

    /// The types that the function declares: those that were found, but for the ones that are always the same.
    fn signature(&self, mut types: Vec<Type>) -> Vec<Type> {
        for (parameter, ty) in self.parameters.iter().zip(&mut types) {
            if let Parameter::Native(native) | Parameter::Optional(native) = parameter {
                *ty = Type::Native(*native);
            }
        }
        types
    }

    fn result_type(&self, types: &[Type], call: &Call<'_>) -> Result<Type> {
        let first = types.first().cloned().unwrap_or(N::Blob.into());
        let wrong = |wanted| Err(cast_failure(&class_of(&first), wanted, call.span).into());
        Ok(match self.make {
            Make::ToJson => N::Text.into(),
            Make::FromJson => {
                let Some(receiver) = call.receiver else {
                    return Err(Refusal::new(
                        FunctionReason::NotSelectable { function: self.name.to_string() },
                        call.span,
                    )
                    .into());
                };
                receiver.clone()
            }
            Make::Token => N::Bigint.into(),
            Make::Aggregate | Make::First => first,
            Make::Keys => match &first {
                Type::Map(entry, _) => Type::Set(Arc::new(entry.0.clone()), Frozen::Yes),
                _ => return wrong("MapType"),
            },
            Make::Values => match &first {
                Type::Map(entry, _) => Type::List(Arc::new(entry.1.clone()), Frozen::Yes),
                _ => return wrong("MapType"),
            },
            Make::Count => N::Int.into(),
            Make::Element => match &first {
                Type::List(element, _) | Type::Set(element, _) => (**element).clone(),
                _ => first,
            },
            Make::Hash => N::Blob.into(),
            Make::Similarity => {
                same_dimension(types, call)?;
                N::Float.into()
            }
        })
    }

    /// The types of the partition key that the token is of.
    fn partition_key(&self, cx: &Context<'_>, call: &Call<'_>) -> Result<Vec<Type>> {
        let Some((keyspace, table)) = call.table else {
            return Err(Refusal::new(
                FunctionReason::NoReceiverKeyspace { function: self.name.to_string() },
                call.span,
            )
            .into());
        };
        let Some(found) = cx.catalog.table(keyspace, table) else {
            return Err(Refusal::new(
                FunctionReason::UnknownReceiverTable {
                    keyspace: keyspace.to_string(),
                    table: table.to_string(),
                    function: self.name.to_string(),
                },
                call.span,
            )
            .into());
        };
        Ok(found.partition_key().iter().map(|column| column.ty.clone()).collect())
    }
}

/// Refuses vectors of different dimensions; the server fails on what is no vector at all.
fn same_dimension(types: &[Type], call: &Call<'_>) -> Result<()> {
    let mut first = None;
    for ty in types {
        let Type::Vector(_, dimension) = ty else {
            return Err(cast_failure(&class_of(ty), "VectorType", call.span).into());
        };
        if *first.get_or_insert(*dimension) != *dimension {
            return Err(Refusal::new(FunctionReason::VectorDimensions, call.span).into());
        }
    }
    Ok(())
}
