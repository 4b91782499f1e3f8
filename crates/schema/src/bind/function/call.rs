//! Calls as terms: `f(a)`, casts, operators.

use cql::term::{Term, TermKind};
use cql::types::{Assignability, Type};
use cql::{ErrorCode, Span};

use super::resolve::{Call, argument_receiver, operator, resolve};
use super::{SYSTEM, factory, operator_name};
use crate::Result;
use crate::bind::assignment::AssignmentTestable;
use crate::bind::context::{Context, Receiver};
use crate::bind::term::{self, BoundTerm, is_descending};
use crate::refusal::{FunctionReason, refuse};

/// A call before its function is resolved.
struct RawCall<'a> {
    qualifier: Option<&'a str>,
    name: String,
    arguments: Vec<&'a Term>,
    span: Span,
}

impl<'a> RawCall<'a> {
    fn new(term: &'a Term) -> Self {
        let span = term.span;
        let native =
            |name: String, arguments| Self { qualifier: Some(SYSTEM), name, arguments, span };
        match &term.kind {
            TermKind::Call(name, arguments) => Self {
                qualifier: name.keyspace.as_ref().map(|keyspace| &*keyspace.text),
                name: name.name.text.to_string(),
                arguments: arguments.iter().collect(),
                span,
            },
            TermKind::Cast(value, ty) => native(format!("cast_as_{}", ty.text()), vec![&**value]),
            TermKind::Negate(value) => native("_negate".to_owned(), vec![&**value]),
            TermKind::Arithmetic(operator, operands) => {
                native(operator_name(*operator).to_owned(), vec![&operands.0, &operands.1])
            }
            _ => native(String::new(), Vec::new()),
        }
    }

    fn testable_arguments(&self) -> Vec<&'a dyn AssignmentTestable> {
        self.arguments.iter().map(|term| *term as &dyn AssignmentTestable).collect()
    }

    fn call<'b>(
        &'b self,
        arguments: &'b [&'b dyn AssignmentTestable],
        keyspace: &'b str,
    ) -> Call<'b> {
        Call {
            qualifier: self.qualifier,
            name: &self.name,
            arguments,
            keyspace,
            table: None,
            receiver: None,
            descending: false,
            span: self.span,
        }
    }
}

fn with_receiver<'b>(cx: &Context<'_>, call: Call<'b>, receiver: &'b Receiver) -> Call<'b> {
    Call {
        table: Some((&receiver.keyspace, &receiver.table)),
        receiver: Some(&receiver.ty),
        descending: is_descending(cx, receiver),
        ..call
    }
}

/// Binds a call for a receiver.
pub(in crate::bind) fn prepare_call(
    cx: &mut Context<'_>,
    term: &Term,
    receiver: &Receiver,
) -> Result<BoundTerm> {
    let written = RawCall::new(term);
    let arguments = written.testable_arguments();
    let call = with_receiver(cx, written.call(&arguments, &receiver.keyspace), receiver);
    let Some(function) = resolve(cx, &call)? else {
        return refuse(FunctionReason::UnknownCalled { function: call.raw_name() }, term.span);
    };
    if function.is_aggregate() {
        return refuse(FunctionReason::AggregateInWhere, term.span);
    }
    if !function.result_assignment(&receiver.ty).is_assignable() {
        let what = match operator(&call) {
            Some(operator) => format!("operation {}", operator.sign()),
            None => format!("function {}", function.name),
        };
        return refuse(
            FunctionReason::ResultType {
                what,
                returns: function.returns.to_string(),
                receiver: receiver.name.to_string(),
                ty: receiver.ty.to_string(),
            },
            term.span,
        );
    }
    let table = Some((&*receiver.keyspace, &*receiver.table));
    let mut bound = Vec::with_capacity(written.arguments.len());
    for (i, argument) in written.arguments.iter().enumerate() {
        let Some(place) = argument_receiver(&function, i, table, &receiver.keyspace) else { break };
        bound.push(term::prepare(cx, argument, &place, None)?);
    }
    Ok(BoundTerm::Call { function, arguments: bound })
}

/// Whether a call can be assigned. An unknown or invalid call is accepted here, since it is refused
/// with a better text later.
pub(in crate::bind) fn test_call_assignment(
    cx: &Context<'_>,
    term: &Term,
    receiver: &Receiver,
) -> Result<Assignability> {
    cx.calls.assignment(term.span, receiver, || resolve_assignment(cx, term, receiver))
}

fn resolve_assignment(cx: &Context<'_>, term: &Term, receiver: &Receiver) -> Result<Assignability> {
    let written = RawCall::new(term);
    let arguments = written.testable_arguments();
    let call = with_receiver(cx, written.call(&arguments, &receiver.keyspace), receiver);
    let function = match resolve(cx, &call) {
        Ok(Some(function)) => function,
        Ok(None) => return Ok(Assignability::Weak),
        Err(refusal) if refusal.error() == ErrorCode::Invalid => return Ok(Assignability::Weak),
        Err(failure) => return Err(failure),
    };
    let made = &*function.name.keyspace == SYSTEM && factory::find(&function.name.name).is_some();
    Ok(if made {
        Assignability::Weak
    } else if function.returns == receiver.ty {
        Assignability::Exact
    } else if function.is_read_by(&receiver.ty) {
        Assignability::Weak
    } else {
        Assignability::No
    })
}

/// The type of a call, if its arguments determine it.
pub(in crate::bind) fn call_type(
    cx: &Context<'_>,
    term: &Term,
    keyspace: &str,
) -> Result<Option<Type>> {
    cx.calls.call_type(term.span, keyspace, || {
        let written = RawCall::new(term);
        let arguments = written.testable_arguments();
        match resolve(cx, &written.call(&arguments, keyspace)) {
            Ok(function) => Ok(function.map(|function| function.returns.clone())),
            Err(refusal) if refusal.error() == ErrorCode::Invalid => Ok(None),
            Err(failure) => Err(failure),
        }
    })
}
