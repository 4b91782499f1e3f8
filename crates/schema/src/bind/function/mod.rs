//! Functions: the native ones of Cassandra 5.0, including operators and casts, and user functions.
//!
//! [`resolve`] selects the overload of a call (`call` binds it, `cache` memoises it). Native
//! functions are of two kinds: fixed signatures in `native`, and factories in `factory` that build
//! a function for the types of a call's arguments (`parameter`). `evaluate` computes constants,
//! `names` lists functions for completion.

mod cache;
mod call;
mod evaluate;
mod factory;
mod names;
mod native;
mod parameter;
mod resolve;

use std::fmt;
use std::sync::Arc;

use cql::printer::identifier;
use cql::term::ArithmeticOperator;
use cql::types::{Assignability, NativeType, Type};

pub(super) use cache::CallCache;
pub(super) use call::{call_type, prepare_call, test_call_assignment};
pub use evaluate::{ComputedValue, compute};
pub(super) use evaluate::{evaluate, refuse_unset};
pub use names::FUNCTION_NAMES;
pub use resolve::{Call, FunctionName, operator, resolve};

use crate::catalog::{UserAggregate, UserFunction};
use crate::refusal::CallSignature;

/// The keyspace of native functions.
pub const SYSTEM: &str = "system";

/// A function with one signature.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The keyspace and name.
    pub name: FunctionName,
    /// The types of its arguments.
    pub arguments: Vec<Type>,
    /// The return type.
    pub returns: Type,
    /// The kind of function.
    pub kind: FunctionKind,
}

/// The kinds of functions.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionKind {
    /// A native scalar function, identified by its name.
    Scalar,
    /// A native aggregate.
    Aggregate,
    /// `CAST(x AS type)`
    Cast(NativeType),
    /// `a + b` and the like
    Operator(ArithmeticOperator),
    /// `-a`
    Negation,
    /// A user function.
    User(Arc<UserFunction>),
    /// A user aggregate.
    UserAggregate(Arc<UserAggregate>),
}

impl Function {
    /// Whether it aggregates rows.
    pub fn is_aggregate(&self) -> bool {
        matches!(self.kind, FunctionKind::Aggregate | FunctionKind::UserAggregate(_))
    }

    /// Its name and the types of its arguments, for errors.
    pub fn signature(&self) -> CallSignature {
        CallSignature {
            keyspace: self.name.keyspace.to_string(),
            name: self.name.name.to_string(),
            arguments: self.arguments.iter().map(ToString::to_string).collect(),
        }
    }

    /// The name of a result column for a call with arguments of these names.
    pub fn column_name(&self, arguments: &[String]) -> String {
        match (&self.kind, arguments) {
            (FunctionKind::Cast(ty), [value, ..]) => format!("cast({value} as {})", ty.name()),
            (FunctionKind::Operator(operator), [left, right]) => {
                format!("{left} {} {right}", operator.sign())
            }
            (FunctionKind::Negation, [value]) => format!("-{value}"),
            (FunctionKind::Aggregate, []) => "count".to_owned(),
            _ => format!("{}({})", self.name, arguments.join(", ")),
        }
    }

    /// Whether its result can be assigned to a receiver.
    pub(crate) fn result_assignment(&self, receiver: &Type) -> Assignability {
        let returns = if receiver.is_freezable() && !receiver.is_multi_cell() {
            self.returns.freeze()
        } else {
            self.returns.clone()
        };
        if returns == *receiver {
            Assignability::Exact
        } else if self.is_read_by(receiver) {
            Assignability::Weak
        } else {
            Assignability::No
        }
    }

    /// Whether a type can read its result. The server's own time-based UUIDs are read as any uuid;
    /// those of user functions and conversions are of a class that `uuid` does not accept.
    pub(super) fn is_read_by(&self, receiver: &Type) -> bool {
        let is_uuid = *receiver == Type::Native(NativeType::Uuid);
        !(is_uuid && self.has_legacy_timeuuid()) && receiver.is_value_compatible_with(&self.returns)
    }

    /// The type of a result column with a call.
    pub(crate) fn result_type(&self) -> Type {
        if self.has_legacy_timeuuid() { legacy_timeuuid_type() } else { self.returns.clone() }
    }

    fn has_legacy_timeuuid(&self) -> bool {
        self.returns == Type::Native(NativeType::Timeuuid) && !native::has_own_timeuuid(&self.name)
    }
}

/// The signature in lists of overloads: `system.abs : (int) -> int`.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keyspace, name) = (identifier(&self.name.keyspace), identifier(&self.name.name));
        write!(f, "{keyspace}.{name} : (")?;
        for (i, ty) in self.arguments.iter().enumerate() {
            let text = ty.to_string();
            let bare = match ty {
                Type::Tuple(_) => {
                    text.strip_prefix("frozen<").and_then(|rest| rest.strip_suffix('>'))
                }
                _ => None,
            };
            write!(f, "{}{}", if i == 0 { "" } else { ", " }, bare.unwrap_or(&text))?;
        }
        write!(f, ") -> {}", self.returns)
    }
}

/// The type of time-based UUIDs that user functions and conversions return (`LegacyTimeUUIDType`);
/// clients see it by its class name.
pub(super) fn legacy_timeuuid_type() -> Type {
    Type::Custom("org.apache.cassandra.db.marshal.LegacyTimeUUIDType".into())
}

/// The name of an operator's function.
pub fn operator_name(operator: ArithmeticOperator) -> &'static str {
    match operator {
        ArithmeticOperator::Add => "_add",
        ArithmeticOperator::Subtract => "_substract",
        ArithmeticOperator::Multiply => "_multiply",
        ArithmeticOperator::Divide => "_divide",
        ArithmeticOperator::Modulo => "_modulo",
    }
}
