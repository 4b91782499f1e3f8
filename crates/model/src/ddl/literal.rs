//! Values that schema statements keep: arguments of masks, initial states of aggregates.

use cql::term::{Term, TermKind};
use cql::types::Type;
use cql::{Statement, StatementKind};

use super::refusal::server;
use crate::Result;
use crate::bind::context::{Context, Receiver};
use crate::bind::term::{self, BoundTerm};

/// Checks a value that is of no table. The server binds it to a column of its own making, and has no markers ready.
pub(super) fn prepare(
    cx: &Context<'_>,
    keyspace: &str,
    value: &Term,
    ty: &Type,
) -> Result<BoundTerm> {
    if matches!(value.kind, TermKind::Marker(_)) {
        return server("QV027", "java.lang.IndexOutOfBoundsException: Index: 0", value.span);
    }
    let receiver = Receiver {
        keyspace: keyspace.into(),
        table: "--dummy--".into(),
        name: "(dummy)".into(),
        ty: ty.clone(),
    };
    let alone = Statement { kind: StatementKind::Invalid, markers: Vec::new(), span: cx.span };
    term::prepare(&mut Context::new(cx.catalog, cx.keyspace, &alone), value, &receiver, None)
}
