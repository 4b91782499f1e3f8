//! DESCRIBE: the names that must exist.

use std::sync::Arc;

use cql::statement::describe::DescribeTarget;
use cql::{Name, QualifiedName, Span};

use crate::bind::context::Context;
use crate::catalog::Keyspace;
use crate::refusal::{CommandReason, refuse};
use crate::{Refusal, Result};

/// The errors of DESCRIBE.
pub(super) fn check(cx: &Context<'_>, target: &DescribeTarget) -> Result<()> {
    let element =
        |name: &QualifiedName, found: fn(&Keyspace, &str) -> bool, missing: MissingObject| {
            let keyspace = keyspace(cx, name.keyspace.as_ref(), name.span())?;
            if found(&keyspace, &name.name.text) {
                Ok(())
            } else {
                Err(missing.refuse(name, &keyspace).into())
            }
        };
    match target {
        DescribeTarget::Cluster | DescribeTarget::Schema { .. } | DescribeTarget::Keyspaces => {
            Ok(())
        }
        DescribeTarget::Tables
        | DescribeTarget::Types
        | DescribeTarget::Functions
        | DescribeTarget::Aggregates => match cx.keyspace {
            Some(name) => find(cx, name, cx.span).map(drop),
            None => Ok(()),
        },
        DescribeTarget::Keyspace { name, .. } => {
            let span = name.as_ref().map_or(cx.span, |name| name.span);
            keyspace(cx, name.as_ref(), span).map(drop)
        }
        DescribeTarget::Table(name) => element(
            name,
            |keyspace, table| keyspace.tables.contains_key(table),
            MissingObject::Table,
        ),
        DescribeTarget::Index(name) => {
            element(name, |keyspace, index| keyspace.index(index).is_some(), MissingObject::Index)
        }
        DescribeTarget::View(name) => {
            element(name, |keyspace, view| keyspace.views.contains_key(view), MissingObject::View)
        }
        DescribeTarget::Type(name) => {
            element(name, |keyspace, ty| keyspace.types.contains_key(ty), MissingObject::Type)
        }
        DescribeTarget::Function(name) => element(
            name,
            |keyspace, name| keyspace.functions.iter().any(|function| &*function.name == name),
            MissingObject::Function,
        ),
        DescribeTarget::Aggregate(name) => element(
            name,
            |keyspace, name| keyspace.aggregates.iter().any(|aggregate| &*aggregate.name == name),
            MissingObject::Aggregate,
        ),
        DescribeTarget::Anything(name) => check_anything(cx, name),
    }
}

/// A name without a keyspace: that of a keyspace, or of an object in the keyspace in use. If none
/// is in use, the server looks for a keyspace with that name once more.
fn check_anything(cx: &Context<'_>, name: &QualifiedName) -> Result<()> {
    let own = &*name.name.text;
    let keyspace = match (&name.keyspace, cx.keyspace) {
        (Some(keyspace), _) => &*keyspace.text,
        (None, _) if cx.catalog.keyspace(own).is_some() => return Ok(()),
        (None, current) => current.unwrap_or(own),
    };
    let keyspace = find(cx, keyspace, name.span())?;
    let exists = keyspace.tables.contains_key(own)
        || keyspace.views.contains_key(own)
        || keyspace.index(own).is_some();
    if exists {
        return Ok(());
    }
    refuse(
        CommandReason::NotInKeyspace { name: own.to_string(), keyspace: keyspace.name.to_string() },
        name.span(),
    )
}

fn keyspace(cx: &Context<'_>, name: Option<&Name>, span: Span) -> Result<Arc<Keyspace>> {
    match (name, cx.keyspace) {
        (Some(name), _) => find(cx, &name.text, name.span),
        (None, Some(current)) => find(cx, current, span),
        (None, None) => refuse(CommandReason::NoCurrentKeyspace, span),
    }
}

fn find(cx: &Context<'_>, name: &str, span: Span) -> Result<Arc<Keyspace>> {
    cx.catalog.keyspace(name).cloned().ok_or_else(|| {
        Box::new(Refusal::new(CommandReason::NotFound { name: name.to_string() }, span))
    })
}

/// The kind of object that is missing.
#[derive(Clone, Copy)]
enum MissingObject {
    Table,
    Index,
    View,
    Type,
    Function,
    Aggregate,
}

impl MissingObject {
    fn refuse(self, name: &QualifiedName, keyspace: &Keyspace) -> Refusal {
        let (own, keyspace) = (name.name.text.to_string(), keyspace.name.to_string());
        let described = |kind, name, keyspace| CommandReason::Undescribed { kind, name, keyspace };
        let reason = match self {
            Self::Table => CommandReason::UnknownTable { name: own, keyspace },
            Self::Index => CommandReason::UnknownIndex { name: own, keyspace },
            Self::View => described("Materialized view", own, keyspace),
            Self::Type => described("User defined type", own, keyspace),
            Self::Function => described("User defined function", own, keyspace),
            Self::Aggregate => described("User defined aggregate", own, keyspace),
        };
        Refusal::new(reason, name.span())
    }
}
