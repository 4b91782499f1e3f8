//! The parameters of functions: how they are declared, checked and made.

use super::context::{JavaContext, quote};
use super::names::JavaFunctionName;
use super::types;
use crate::code_writer::CodeWriter;
use crate::program::{ClientSupply, DataType, Parameter};

/// The parameters of a function.
#[derive(Clone, Copy)]
pub(super) struct JavaSignature<'a> {
    pub(super) context: &'a JavaContext<'a>,
    pub(super) name: &'a JavaFunctionName,
    pub(super) parameters: &'a [Parameter],
}

impl<'a> JavaSignature<'a> {
    fn pairs(&self) -> impl Iterator<Item = (&'a Parameter, &'a String)> {
        self.parameters.iter().zip(&self.name.parameters)
    }

    /// Whether the function makes some values itself.
    pub(super) fn has_supply(&self) -> bool {
        self.parameters.iter().any(|it| find_supply(it).is_some())
    }

    /// The declarations of all parameters, or of those that the caller gives.
    pub(super) fn declare(&self, all: bool) -> String {
        let pairs = self.pairs().filter(|(it, _)| all || find_supply(it).is_none());
        let declared = pairs
            .map(|(it, name)| format!("{} {name}", self.context.declared(&it.ty, it.nullable)));
        declared.collect::<Vec<_>>().join(", ")
    }

    /// The names of all parameters.
    pub(super) fn arguments(&self) -> String {
        self.name.parameters.join(", ")
    }

    /// The names of the parameters that the caller gives.
    pub(super) fn given_arguments(&self) -> String {
        let given = self.pairs().filter(|(it, _)| find_supply(it).is_none());
        given.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The checks that values are not null.
    pub(super) fn print_checks(&self, out: &mut CodeWriter) {
        for (parameter, name) in self.pairs() {
            if !parameter.nullable && types::primitive(&parameter.ty).is_none() {
                out.line(format!("Objects.requireNonNull({name}, {});", quote(name)));
            }
        }
    }

    /// The arguments for all parameters, where the function makes some.
    pub(super) fn print_supplied(&self, out: &mut CodeWriter) -> String {
        let is_now = |it: &Parameter| matches!(find_supply(it), Some(ClientSupply::Now { .. }));
        if self.parameters.iter().any(is_now) {
            out.line("Instant now = support.now();");
        }
        let arguments = self.pairs().map(|(it, name)| match find_supply(it) {
            Some(supply) => print_supply(supply, &it.ty),
            None => name.clone(),
        });
        arguments.collect::<Vec<_>>().join(", ")
    }

    /// What the comment says of the parameters.
    pub(super) fn list_tags(&self, all: bool) -> Vec<String> {
        let pairs = self.pairs().filter(|(it, _)| all || find_supply(it).is_none());
        let tags = pairs.map(|(it, name)| {
            let nullable = if it.nullable { "; may be null" } else { "" };
            format!("@param {name} {}{nullable}", super::comments::escape(&it.ty.to_string()))
        });
        tags.collect()
    }

    /// The fields of a run, and their assignment in its constructor.
    pub(super) fn list_fields(&self) -> Vec<(String, &'a String)> {
        self.pairs().map(|(it, name)| (self.context.boxed(&it.ty), name)).collect()
    }
}

/// How the function makes a value; `None`: the caller gives it.
pub(super) const fn find_supply(parameter: &Parameter) -> Option<ClientSupply> {
    match (parameter.supply, &parameter.ty) {
        (
            Some(now @ ClientSupply::Now { .. }),
            DataType::Timestamp
            | DataType::Date
            | DataType::Time
            | DataType::Timeuuid
            | DataType::Uuid
            | DataType::Bigint,
        ) => Some(now),
        (
            Some(ClientSupply::NewId),
            DataType::Uuid | DataType::Timeuuid | DataType::Text | DataType::Ascii,
        ) => Some(ClientSupply::NewId),
        _ => None,
    }
}

fn print_supply(supply: ClientSupply, ty: &DataType) -> String {
    let ClientSupply::Now { months, days, millis } = supply else {
        return match ty {
            DataType::Timeuuid => "Uuids.timeBased()",
            DataType::Uuid => "UUID.randomUUID()",
            _ => "UUID.randomUUID().toString()",
        }
        .to_owned();
    };
    let moment = if (months, days, millis) == (0, 0, 0) {
        "now".to_owned()
    } else {
        format!("Values.shift(now, {months}, {days}, {millis}L)")
    };
    match ty {
        DataType::Date => format!("Values.toDate({moment})"),
        DataType::Time => format!("Values.timeOf({moment})"),
        DataType::Timeuuid | DataType::Uuid => format!("Values.timeIdOf({moment})"),
        DataType::Bigint => format!("{moment}.toEpochMilli()"),
        _ => moment,
    }
}
