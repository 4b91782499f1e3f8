//! The resolution of calls, as in the server: candidates by name, then the best match of types.

use std::fmt;
use std::sync::Arc;

use cql::Span;
use cql::term::ArithmeticOperator;
use cql::types::{Assignability, Type};

use super::{Function, FunctionKind, SYSTEM, factory, native, operator_name};
use crate::bind::assignment::{self, AssignmentTestable};
use crate::bind::context::{Context, Receiver};
use crate::refusal::{FunctionReason, refuse};
use crate::{Refusal, Result};

/// The qualified name of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionName {
    /// `system` for native functions.
    pub keyspace: Box<str>,
    /// The name without the keyspace.
    pub name: Box<str>,
}

impl FunctionName {
    /// The name of a native function.
    pub fn system(name: &str) -> Self {
        Self { keyspace: SYSTEM.into(), name: name.into() }
    }
}

impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.keyspace, self.name)
    }
}

/// A call whose function is resolved.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The keyspace before the name, if there is one; operators and casts are always in `system`.
    pub qualifier: Option<&'a str>,
    /// The name of the function.
    pub name: &'a str,
    /// The arguments of the call.
    pub arguments: &'a [&'a dyn AssignmentTestable],
    /// The keyspace of the statement, in which user functions are looked up first.
    pub keyspace: &'a str,
    /// The keyspace and table of the receiver, if there is one.
    pub table: Option<(&'a str, &'a str)>,
    /// The type of the receiver, if it is known.
    pub receiver: Option<&'a Type>,
    /// Whether the receiver is a clustering column in descending order.
    pub descending: bool,
    /// Where it stands.
    pub span: Span,
}

impl Call<'_> {
    /// The name as written.
    pub(crate) fn raw_name(&self) -> String {
        self.qualifier
            .map_or_else(|| self.name.to_owned(), |keyspace| format!("{keyspace}.{}", self.name))
    }
}

/// The function of a call; `None` if there is none with that name.
pub fn resolve(cx: &Context<'_>, call: &Call<'_>) -> Result<Option<Arc<Function>>> {
    let candidates = candidates(cx, call)?;
    match &candidates[..] {
        [] => Ok(None),
        [only] => {
            check_arguments(cx, only, call)?;
            Ok(Some(only.clone()))
        }
        _ => best_match(cx, call, &candidates).map(Some),
    }
}

/// The operator of a call, if it is one.
pub fn operator(call: &Call<'_>) -> Option<ArithmeticOperator> {
    let all = [
        ArithmeticOperator::Add,
        ArithmeticOperator::Subtract,
        ArithmeticOperator::Multiply,
        ArithmeticOperator::Divide,
        ArithmeticOperator::Modulo,
    ];
    let of_system = call.qualifier == Some(SYSTEM);
    all.into_iter().find(|operator| of_system && operator_name(*operator) == call.name)
}

/// The receiver of an argument: `arg0(system.abs)`.
pub(crate) fn argument_receiver(
    function: &Function,
    index: usize,
    table: Option<(&str, &str)>,
    keyspace: &str,
) -> Option<Receiver> {
    let ty = function.arguments.get(index)?.clone();
    let (keyspace, table) = table.unwrap_or((keyspace, ""));
    let name = format!("arg{index}({})", function.name.to_string().to_lowercase());
    Some(Receiver { keyspace: keyspace.into(), table: table.into(), name: name.into(), ty })
}

fn candidates(cx: &Context<'_>, call: &Call<'_>) -> Result<Vec<Arc<Function>>> {
    let mut candidates = user_functions(cx, call.qualifier.unwrap_or(call.keyspace), call.name);
    if call.qualifier.is_none_or(|keyspace| keyspace == SYSTEM) {
        candidates.extend(native::overloads(call.name).iter().cloned());
        if let Some(factory) = factory::find(call.name) {
            candidates.push(factory.function(cx, call)?);
        }
    }
    Ok(candidates)
}

fn user_functions(cx: &Context<'_>, keyspace: &str, name: &str) -> Vec<Arc<Function>> {
    let Some(found) = cx.catalog.keyspace(keyspace) else { return Vec::new() };
    let full_name = || FunctionName { keyspace: keyspace.into(), name: name.into() };
    let functions =
        found.functions.iter().filter(|function| &*function.name == name).map(|function| {
            Function {
                name: full_name(),
                arguments: function.arguments.iter().map(|(_, ty)| ty.clone()).collect(),
                returns: function.returns.clone(),
                kind: FunctionKind::User(function.clone()),
            }
        });
    let aggregates =
        found.aggregates.iter().filter(|aggregate| &*aggregate.name == name).map(|aggregate| {
            Function {
                name: full_name(),
                arguments: aggregate.arguments.clone(),
                returns: aggregate.returns.clone(),
                kind: FunctionKind::UserAggregate(aggregate.clone()),
            }
        });
    functions.chain(aggregates).map(Arc::new).collect()
}

/// Checks the arguments of the only candidate, and names those that do not fit.
fn check_arguments(cx: &Context<'_>, function: &Function, call: &Call<'_>) -> Result<()> {
    if call.arguments.len() != function.arguments.len() {
        return refuse(
            FunctionReason::ArgumentsRequired {
                function: function.name.to_string(),
                required: function.arguments.len(),
                provided: call.arguments.len(),
            },
            call.span,
        );
    }
    for (i, argument) in call.arguments.iter().enumerate() {
        let Some(expected) = argument_receiver(function, i, call.table, call.keyspace) else {
            break;
        };
        let is_reversed =
            argument.is_collection_literal() && is_reversed_key(cx, function, call, i);
        if is_reversed || !argument.test_assignment(cx, &expected)?.is_assignable() {
            return refuse(
                FunctionReason::ArgumentType {
                    argument: argument.text(cx, call.keyspace),
                    position: i.to_string(),
                    function: function.name.to_string(),
                    ty: expected.ty.to_string(),
                },
                call.span,
            );
        }
    }
    Ok(())
}

/// Whether the argument of `token` is a key column that a view took from the descending clustering
/// columns of its base table: the server's type of it is still the reversed one, which no
/// collection literal fits.
fn is_reversed_key(cx: &Context<'_>, function: &Function, call: &Call<'_>, at: usize) -> bool {
    let is_token = function.name == FunctionName::system("token");
    let table = call.table.filter(|_| is_token);
    let table = table.and_then(|(keyspace, table)| cx.catalog.table(keyspace, table));
    table.and_then(|table| table.partition_key().get(at)).is_some_and(|column| column.descending)
}

fn best_match(
    cx: &Context<'_>,
    call: &Call<'_>,
    candidates: &[Arc<Function>],
) -> Result<Arc<Function>> {
    let mut possible = Vec::new();
    for function in candidates {
        if !call.receiver.is_none_or(|receiver| matches_return_type(function, receiver)) {
            continue;
        }
        match match_arguments(cx, function, call)? {
            Assignability::Exact => return Ok(function.clone()),
            Assignability::Weak => possible.push(function.clone()),
            Assignability::No => {}
        }
    }
    match &possible[..] {
        [] => Err(no_match(cx, call, candidates).into()),
        [only] => Ok(only.clone()),
        _ => resolve_ambiguity(cx, call, &possible),
    }
}

/// Whether a function's result can be assigned to the receiver. Unlike for values, the test is
/// whether the receiver's type reads the function's.
fn matches_return_type(function: &Function, receiver: &Type) -> bool {
    let assignment = function.returns.test_assignment(receiver);
    match assignment {
        Assignability::Weak => {
            let frozen = if function.returns.is_freezable() && !function.returns.is_multi_cell() {
                receiver.freeze()
            } else {
                receiver.clone()
            };
            function.is_read_by(&frozen)
        }
        other => other.is_assignable(),
    }
}

fn match_arguments(
    cx: &Context<'_>,
    function: &Function,
    call: &Call<'_>,
) -> Result<Assignability> {
    if call.arguments.len() != function.arguments.len() {
        return Ok(Assignability::No);
    }
    assignment::combine_all(call.arguments.iter().enumerate().map(|(i, argument)| {
        match argument_receiver(function, i, call.table, call.keyspace) {
            Some(expected) => argument.test_assignment(cx, &expected),
            None => Ok(Assignability::No),
        }
    }))
}

fn no_match(cx: &Context<'_>, call: &Call<'_>, candidates: &[Arc<Function>]) -> Refusal {
    if let (Some(operator), [left, right]) = (operator(call), call.arguments) {
        return Refusal::new(
            FunctionReason::Operands {
                sign: operator.sign(),
                left: left.text(cx, call.keyspace),
                right: right.text(cx, call.keyspace),
            },
            call.span,
        );
    }
    Refusal::new(
        FunctionReason::NoSignature {
            function: call.raw_name(),
            signatures: signatures(candidates),
        },
        call.span,
    )
}

fn resolve_ambiguity(
    cx: &Context<'_>,
    call: &Call<'_>,
    possible: &[Arc<Function>],
) -> Result<Arc<Function>> {
    if let (Some(operator), [left, right]) = (operator(call), call.arguments) {
        let has_markers = left.is_marker() || right.is_marker();
        let receiver = call.receiver.filter(|_| !has_markers && !call.descending);
        let same =
            |function: &&Arc<Function>| function.arguments.iter().all(|ty| Some(ty) == receiver);
        if let Some(function) = possible.iter().find(same) {
            return Ok(function.clone());
        }
        return refuse(
            FunctionReason::AmbiguousOperation {
                sign: operator.sign(),
                left: left.text(cx, call.keyspace),
                right: right.text(cx, call.keyspace),
            },
            call.span,
        );
    }
    let reason = if call.qualifier == Some(SYSTEM) && call.name == "_negate" {
        FunctionReason::AmbiguousNegation
    } else {
        let (function, signatures) = (call.raw_name(), signatures(possible));
        FunctionReason::Ambiguous { function, signatures }
    };
    refuse(reason, call.span)
}

fn signatures(functions: &[Arc<Function>]) -> String {
    functions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
