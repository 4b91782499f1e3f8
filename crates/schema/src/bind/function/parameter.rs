//! [`FunctionParameter`]: the types that a factory's parameter accepts, and how they are inferred.

use std::fmt;
use std::sync::Arc;

use cql::Span;
use cql::types::{NativeType, Type};

use super::{FunctionName, SYSTEM};
use crate::Result;
use crate::bind::assignment::AssignmentTestable;
use crate::bind::context::Context;
use crate::refusal::{FunctionReason, refuse};

use NativeType as N;

/// The types that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionParameter {
    /// Any type; an unknown one may be inferred from the receiver.
    Any {
        /// Whether the receiver's type is used if nothing else is known.
        from_receiver: bool,
    },
    /// The type of the parameter at that position; on its own any type, or that of the receiver.
    SameAs(usize),
    /// Texts of any type.
    Text,
    /// One native type.
    Native(NativeType),
    /// One native type; the parameter is optional.
    Optional(NativeType),
    /// A list, set or map.
    Collection,
    /// A list or set.
    SetOrList,
    /// A list or set of numbers.
    NumericSetOrList,
    /// A map.
    Map,
    /// A vector of floats, by default with the type of the parameter at that position.
    Vector(usize),
}

impl FunctionParameter {
    pub(super) fn is_optional(self) -> bool {
        matches!(self, Self::Optional(_))
    }

    /// The type of an argument. `others` are the types found so far, in the second round.
    pub(super) fn infer(
        self,
        cx: &Context<'_>,
        argument: &dyn AssignmentTestable,
        receiver: Option<&Type>,
        others: Option<&[Option<Type>]>,
    ) -> Result<Option<Type>> {
        let known = || argument.compatible_type(cx, SYSTEM);
        let other = |at: usize| others.and_then(|types| types.get(at)?.clone());
        match self {
            Self::SameAs(at) if other(at).is_some() => Ok(other(at)),
            Self::SameAs(_) | Self::Any { from_receiver: true } => {
                Ok(known()?.or(receiver.cloned()))
            }
            Self::Text => Ok(known()?.or(Some(N::Text.into()))),
            Self::Native(native) | Self::Optional(native) => Ok(known()?.or(Some(native.into()))),
            Self::Vector(at) => {
                if let Some(dimension) = argument.array_length().and_then(|n| u32::try_from(n).ok())
                {
                    return Ok(Some(Type::Vector(Arc::new(N::Float.into()), dimension)));
                }
                Ok(known()?.or(receiver.cloned()).or_else(|| other(at)))
            }
            Self::Any { .. }
            | Self::Collection
            | Self::SetOrList
            | Self::NumericSetOrList
            | Self::Map => known(),
        }
    }

    /// Refuses an argument of a type that the parameter does not accept.
    pub(super) fn check(
        self,
        cx: &Context<'_>,
        function: &FunctionName,
        (argument, ty): (&dyn AssignmentTestable, &Type),
        span: Span,
    ) -> Result<()> {
        let is_plain = !argument.is_descending();
        let wanted = match self {
            Self::Any { .. } | Self::SameAs(_) => return Ok(()),
            Self::Text if is_assignable_to_any(ty, &[N::Text, N::Ascii]) => return Ok(()),
            Self::Native(native) | Self::Optional(native)
                if is_assignable_to_any(ty, &[native]) =>
            {
                return Ok(());
            }
            Self::Text | Self::Native(_) => format!("an argument of type {self}"),
            Self::Optional(native) => format!("an argument of type {}", native.name()),
            Self::Collection if is_plain && ty.is_collection() => return Ok(()),
            Self::Collection => "a collection argument".to_owned(),
            Self::SetOrList if is_plain && matches!(ty, Type::Set(..) | Type::List(..)) => {
                return Ok(());
            }
            Self::SetOrList => "a set or list argument".to_owned(),
            Self::NumericSetOrList if is_plain && is_of_numbers(ty) => return Ok(()),
            Self::NumericSetOrList => "a numeric set/list argument".to_owned(),
            Self::Map if is_plain && matches!(ty, Type::Map(..) | Type::User(..)) => return Ok(()),
            Self::Map => "a map argument".to_owned(),
            Self::Vector(_) if is_plain && is_vector_or_odd_list(ty) => return Ok(()),
            Self::Vector(_) => "a float vector argument".to_owned(),
        };
        refuse(
            FunctionReason::WrongArgument {
                function: function.to_string(),
                wanted,
                argument: argument.text(cx, SYSTEM),
                ty: ty.to_string(),
            },
            span,
        )
    }
}

fn is_assignable_to_any(ty: &Type, natives: &[NativeType]) -> bool {
    natives.iter().any(|native| ty.test_assignment(&Type::Native(*native)).is_assignable())
}

pub(super) fn is_of_numbers(ty: &Type) -> bool {
    let (Type::Set(element, _) | Type::List(element, _)) = ty else { return false };
    matches!(**element, Type::Native(native) if native.is_number())
}

/// Whether it is a vector of floats. The server also accepts lists, but only those that cannot be a
/// vector of floats.
fn is_vector_or_odd_list(ty: &Type) -> bool {
    let float = Type::Native(N::Float);
    match ty {
        Type::Vector(element, _) => **element == float,
        Type::List(element, _) => !element.test_assignment(&float).is_assignable(),
        _ => false,
    }
}

/// The text in signatures of factories.
impl fmt::Display for FunctionParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any { .. } | Self::SameAs(_) => f.write_str("any"),
            Self::Text => f.write_str("[text|varchar|ascii]"),
            Self::Native(native) => f.write_str(native.name()),
            Self::Optional(native) => write!(f, "[{}]", native.name()),
            Self::Collection => f.write_str("collection"),
            Self::SetOrList | Self::NumericSetOrList => f.write_str("numeric_set_or_list"),
            Self::Map => f.write_str("map"),
            Self::Vector(_) => f.write_str("vector<float, n>"),
        }
    }
}
