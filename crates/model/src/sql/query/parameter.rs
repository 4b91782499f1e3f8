//! Parameters of a statement: `?`, `$1` or `:name`.

use std::collections::BTreeMap;

use cql::Span;
use cql::types::{NativeType, Type};

use super::resolver::Resolver;
use crate::concept::{AttributeRef, ClientValue};
use crate::figures::with_article;
use crate::id::ParameterId;
use crate::workload::{Parameter, Supply};

/// The parameters so far, in the order of the text.
#[derive(Default)]
pub(super) struct Parameters {
    entries: Vec<(Parameter, Option<ParameterUse>)>,
    style: Option<char>,
    /// Those written `$1` or `:name`.
    keys: BTreeMap<String, ParameterId>,
    /// The parameter that the next `?` stands for, while a clause is resolved again.
    repeated: Option<ParameterId>,
    /// Names in use, with the last number appended to each.
    names: BTreeMap<String, usize>,
    /// The number of different parameters in the text.
    placeholders: usize,
    /// The values that the client makes, which follow those of the text.
    client: Vec<(Parameter, Option<ParameterUse>)>,
}

/// The attribute that a parameter is compared with or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParameterUse {
    pub(super) attribute: AttributeRef,
    pub(super) kind: ParameterUseKind,
}

/// How a parameter is used with an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterUseKind {
    /// It is compared with `=`.
    Equal,
    /// It is the bound of a range.
    Range,
    /// It is written.
    Written,
}

/// The column that a value is for.
#[derive(Clone, Copy)]
pub(super) struct ValueTarget<'t> {
    /// The column's name, for messages and for the parameter.
    pub(super) name: &'t str,
    pub(super) ty: &'t Type,
    pub(super) usage: Option<ParameterUse>,
}

impl Parameters {
    /// None yet, of a statement with so many different parameters in its text.
    pub(super) fn new(placeholders: usize) -> Self {
        Self { placeholders, ..Self::default() }
    }

    /// The parameters, and the use of each.
    pub(super) fn into_parts(self) -> (Vec<Parameter>, Vec<Option<ParameterUse>>) {
        self.entries.into_iter().chain(self.client).unzip()
    }

    /// Whether the values that the client makes would take the place of others: a part of the
    /// statement with parameters was not read.
    pub(super) fn has_gap(&self) -> bool {
        !self.client.is_empty() && self.entries.len() != self.placeholders
    }

    /// The id of the next parameter.
    pub(super) fn next_id(&self) -> ParameterId {
        ParameterId::new(self.entries.len())
    }

    /// From now on, `?` stands for the parameters from this one on, in turn.
    pub(super) const fn repeat_from(&mut self, first: ParameterId) {
        self.repeated = Some(first);
    }

    /// The preferred name, or the first free one with a number appended.
    fn free_name(&mut self, preferred: &str) -> String {
        let mut name = preferred.to_owned();
        let mut number = self.names.get(preferred).copied().unwrap_or(1);
        while self.names.contains_key(&name) {
            number += 1;
            name = format!("{preferred}_{number}");
        }
        self.names.insert(preferred.to_owned(), number);
        self.names.entry(name.clone()).or_insert(1);
        name
    }
}

impl Resolver<'_> {
    /// The parameter of a placeholder; its type is that of the target.
    pub(super) fn resolve_parameter(
        &mut self,
        placeholder: &str,
        span: Span,
        target: ValueTarget<'_>,
    ) -> Option<ParameterId> {
        let style = self.check_style(placeholder, span)?;
        let key = (style != '?').then_some(placeholder);
        if let (None, Some(known)) = (key, self.parameters.repeated) {
            self.parameters.repeated = Some(ParameterId::new(known.index() + 1));
            return Some(known);
        }
        if let Some(&known) = key.and_then(|key| self.parameters.keys.get(key)) {
            return self.reuse_parameter(known, placeholder, span, target);
        }
        let preferred = if style == ':' { &placeholder[1..] } else { target.name };
        let name = self.parameters.free_name(preferred);
        let parameter = Parameter { name, ty: target.ty.clone(), supply: Supply::User };
        let position = ParameterId::new(self.parameters.entries.len());
        self.parameters.entries.push((parameter, target.usage));
        if let Some(key) = key {
            self.parameters.keys.insert(key.to_owned(), position);
        }
        Some(position)
    }

    /// The parameter in place of a value that the client makes; one for all uses of a time.
    pub(super) fn resolve_client_value(
        &mut self,
        value: ClientValue,
        target: ValueTarget<'_>,
    ) -> ParameterId {
        let supply = Supply::Client(value);
        let same = |(parameter, _): &(Parameter, _)| {
            value.is_shared() && parameter.supply == supply && parameter.ty == *target.ty
        };
        let known = self.parameters.client.iter().position(same);
        let at = known.unwrap_or_else(|| {
            let name = self.parameters.free_name(target.name);
            let parameter = Parameter { name, ty: target.ty.clone(), supply };
            self.parameters.client.push((parameter, target.usage));
            self.parameters.client.len() - 1
        });
        ParameterId::new(self.parameters.placeholders + at)
    }

    /// The parameter style of the placeholder, which must be the same in the whole statement.
    fn check_style(&mut self, placeholder: &str, span: Span) -> Option<char> {
        let style = placeholder.chars().next().unwrap_or('?');
        if !matches!(style, '?' | '$' | ':') || (style == '?' && placeholder.len() > 1) {
            let message = format!("{placeholder} is not a valid parameter");
            self.report("MF342", span, message, "use `?`, `$1` or `:name`");
            return None;
        }
        let first = *self.parameters.style.get_or_insert(style);
        // sqlc's macros stand beside `$1`, and both have a name.
        if (first == '?') == (style == '?') {
            return Some(style);
        }
        let message = format!("{} mixes two parameter styles", self.name());
        let help = match first {
            '?' => "use `?` for every parameter of the statement",
            '$' => "use `$1`, `$2`, ... for every parameter of the statement",
            _ => "use `:name` for every parameter of the statement",
        };
        self.report("MF342", span, message, help);
        None
    }

    /// A parameter that is used in several places must have a compatible type in all of them.
    fn reuse_parameter(
        &mut self,
        known: ParameterId,
        placeholder: &str,
        span: Span,
        target: ValueTarget<'_>,
    ) -> Option<ParameterId> {
        let (parameter, usage) = &mut self.parameters.entries[known.index()];
        if usage.is_none_or(|usage| usage.kind != ParameterUseKind::Equal) && target.usage.is_some()
        {
            *usage = target.usage;
        }
        if is_compatible(&parameter.ty, target.ty) {
            return Some(known);
        }
        let (first, second) = (with_article(&parameter.ty), with_article(target.ty));
        let message = format!("{placeholder} is used both as {first} and as {second}");
        self.report("MF341", span, message, "use a separate parameter for each");
        None
    }
}

/// Whether a value of one type may be compared with a column of the other.
fn is_compatible(left: &Type, right: &Type) -> bool {
    let family = |ty: &Type| match ty {
        Type::Native(NativeType::Smallint | NativeType::Int | NativeType::Bigint) => Some(1),
        Type::Native(NativeType::Uuid | NativeType::Timeuuid) => Some(2),
        Type::Native(NativeType::Text | NativeType::Ascii) => Some(3),
        _ => None,
    };
    left.freeze() == right.freeze() || (family(left).is_some() && family(left) == family(right))
}
