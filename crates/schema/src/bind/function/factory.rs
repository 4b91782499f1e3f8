//! [`FunctionFactory`]: native functions whose signature depends on the types of the arguments or
//! of the receiver.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};

use super::parameter::FunctionParameter;
use super::resolve::Call;
use super::{Function, FunctionKind, FunctionName};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::term::{cast_failure, class_of};
use crate::refusal::{FunctionReason, refuse};

use NativeType as N;

/// A native function without a fixed signature.
pub(super) struct FunctionFactory {
    name: &'static str,
    parameters: &'static [FunctionParameter],
    kind: FactoryKind,
}

/// How the signature is derived.
#[derive(Clone, Copy)]
enum FactoryKind {
    /// The token of the receiver's table.
    Token,
    /// Any value to text.
    ToJson,
    /// Text to the receiver's type.
    FromJson,
    /// The maximum or minimum of many rows.
    Aggregate,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
    /// The number of elements.
    Count,
    /// An element, or a number computed from all of them.
    Element,
    /// The type of the first argument.
    First,
    /// A blob: the hash of a value.
    Hash,
    /// The similarity of two vectors.
    Similarity,
}

const ANY: FunctionParameter = FunctionParameter::Any { from_receiver: false };
const ANY_OR_RECEIVER: FunctionParameter = FunctionParameter::Any { from_receiver: true };
const PARTIAL: [FunctionParameter; 4] = [
    FunctionParameter::Text,
    FunctionParameter::Native(N::Int),
    FunctionParameter::Native(N::Int),
    FunctionParameter::Optional(N::Text),
];
const VECTORS: [FunctionParameter; 2] =
    [FunctionParameter::Vector(1), FunctionParameter::Vector(0)];

const fn factory(
    name: &'static str,
    parameters: &'static [FunctionParameter],
    make: FactoryKind,
) -> FunctionFactory {
    FunctionFactory { name, parameters, kind: make }
}

static FACTORIES: [FunctionFactory; 23] = [
    factory("token", &[], FactoryKind::Token),
    factory("to_json", &[ANY], FactoryKind::ToJson),
    factory("tojson", &[ANY], FactoryKind::ToJson),
    factory("from_json", &[FunctionParameter::Native(N::Text)], FactoryKind::FromJson),
    factory("fromjson", &[FunctionParameter::Native(N::Text)], FactoryKind::FromJson),
    factory("max", &[ANY_OR_RECEIVER], FactoryKind::Aggregate),
    factory("min", &[ANY_OR_RECEIVER], FactoryKind::Aggregate),
    factory("map_keys", &[FunctionParameter::Map], FactoryKind::Keys),
    factory("map_values", &[FunctionParameter::Map], FactoryKind::Values),
    factory("collection_count", &[FunctionParameter::Collection], FactoryKind::Count),
    factory("collection_min", &[FunctionParameter::SetOrList], FactoryKind::Element),
    factory("collection_max", &[FunctionParameter::SetOrList], FactoryKind::Element),
    factory("collection_sum", &[FunctionParameter::NumericSetOrList], FactoryKind::Element),
    factory("collection_avg", &[FunctionParameter::NumericSetOrList], FactoryKind::Element),
    factory("mask_null", &[ANY], FactoryKind::First),
    factory("mask_replace", &[ANY_OR_RECEIVER, FunctionParameter::SameAs(0)], FactoryKind::First),
    factory("mask_default", &[ANY], FactoryKind::First),
    factory("mask_hash", &[ANY, FunctionParameter::Optional(N::Text)], FactoryKind::Hash),
    factory("mask_inner", &PARTIAL, FactoryKind::First),
    factory("mask_outer", &PARTIAL, FactoryKind::First),
    factory("similarity_cosine", &VECTORS, FactoryKind::Similarity),
    factory("similarity_euclidean", &VECTORS, FactoryKind::Similarity),
    factory("similarity_dot_product", &VECTORS, FactoryKind::Similarity),
];

/// The factory with that name.
pub(super) fn find(name: &str) -> Option<&'static FunctionFactory> {
    FACTORIES.iter().find(|factory| factory.name == name)
}

impl FunctionFactory {
    /// The function for a call.
    pub(super) fn function(&self, cx: &Context<'_>, call: &Call<'_>) -> Result<Arc<Function>> {
        let (arguments, returns, kind) = if matches!(self.kind, FactoryKind::Token) {
            (self.partition_key(cx, call)?, N::Bigint.into(), FunctionKind::Scalar)
        } else {
            let types = self.argument_types(cx, call)?;
            let returns = self.result_type(&types, call)?;
            let kind = match self.kind {
                FactoryKind::Aggregate => FunctionKind::Aggregate,
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

    /// Infers the types of arguments in two rounds: the first finds those that arguments have on
    /// their own, the second those that follow from other arguments, and refuses what does not fit.
    fn argument_types(&self, cx: &Context<'_>, call: &Call<'_>) -> Result<Vec<Type>> {
        let mandatory = self.parameters.iter().filter(|parameter| !parameter.is_optional()).count();
        if !(mandatory..=self.parameters.len()).contains(&call.arguments.len()) {
            return refuse(FunctionReason::ArgumentCount { function: self.text() }, call.span);
        }
        let pairs = || self.parameters.iter().zip(call.arguments);
        let mut types = pairs()
            .map(|(parameter, argument)| parameter.infer(cx, *argument, call.receiver, None))
            .collect::<Result<Vec<Option<Type>>>>()?;
        let mut inferred = Vec::with_capacity(types.len());
        for (i, (parameter, argument)) in pairs().enumerate() {
            let ty = parameter.infer(cx, *argument, call.receiver, Some(&types))?;
            let Some(ty) = ty else {
                return refuse(
                    FunctionReason::UninferredArgument {
                        argument: argument.text(cx, call.keyspace),
                        function: self.text(),
                    },
                    call.span,
                );
            };
            parameter.check(cx, &FunctionName::system(self.name), (*argument, &ty), call.span)?;
            if let Some(slot) = types.get_mut(i) {
                *slot = Some(ty.clone());
            }
            inferred.push(ty);
        }
        Ok(inferred)
    }

    /// The declared types of the function: the inferred ones, except those that are always the
    /// same.
    fn signature(&self, mut types: Vec<Type>) -> Vec<Type> {
        for (parameter, ty) in self.parameters.iter().zip(&mut types) {
            if let FunctionParameter::Native(native) | FunctionParameter::Optional(native) =
                parameter
            {
                *ty = Type::Native(*native);
            }
        }
        types
    }

    fn result_type(&self, types: &[Type], call: &Call<'_>) -> Result<Type> {
        let first = types.first().cloned().unwrap_or(N::Blob.into());
        let wrong = |wanted| Err(cast_failure(&class_of(&first), wanted, call.span).into());
        Ok(match self.kind {
            FactoryKind::ToJson => N::Text.into(),
            FactoryKind::FromJson => {
                let Some(receiver) = call.receiver else {
                    return refuse(
                        FunctionReason::NotSelectable { function: self.name.to_string() },
                        call.span,
                    );
                };
                receiver.clone()
            }
            FactoryKind::Token => N::Bigint.into(),
            FactoryKind::Aggregate | FactoryKind::First => first,
            FactoryKind::Keys => match &first {
                Type::Map(entry, _) => Type::Set(Arc::new(entry.0.clone()), Frozenness::Yes),
                _ => return wrong("MapType"),
            },
            FactoryKind::Values => match &first {
                Type::Map(entry, _) => Type::List(Arc::new(entry.1.clone()), Frozenness::Yes),
                _ => return wrong("MapType"),
            },
            FactoryKind::Count => N::Int.into(),
            FactoryKind::Element => match &first {
                Type::List(element, _) | Type::Set(element, _) => (**element).clone(),
                _ => first,
            },
            FactoryKind::Hash => N::Blob.into(),
            FactoryKind::Similarity => {
                check_same_dimension(types, call)?;
                N::Float.into()
            }
        })
    }

    /// The types of the partition key of `token`.
    fn partition_key(&self, cx: &Context<'_>, call: &Call<'_>) -> Result<Vec<Type>> {
        let Some((keyspace, table)) = call.table else {
            return refuse(
                FunctionReason::NoReceiverKeyspace { function: self.name.to_string() },
                call.span,
            );
        };
        let Some(found) = cx.catalog.table(keyspace, table) else {
            return refuse(
                FunctionReason::UnknownReceiverTable {
                    keyspace: keyspace.to_string(),
                    table: table.to_string(),
                    function: self.name.to_string(),
                },
                call.span,
            );
        };
        Ok(found.partition_key().iter().map(|column| column.ty.clone()).collect())
    }
}

/// Refuses vectors of different dimensions; the server fails on other types.
fn check_same_dimension(types: &[Type], call: &Call<'_>) -> Result<()> {
    let mut first = None;
    for ty in types {
        let Type::Vector(_, dimension) = ty else {
            return Err(cast_failure(&class_of(ty), "VectorType", call.span).into());
        };
        if *first.get_or_insert(*dimension) != *dimension {
            return refuse(FunctionReason::VectorDimensions, call.span);
        }
    }
    Ok(())
}
