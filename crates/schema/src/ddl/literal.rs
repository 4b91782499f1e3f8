//! Values that are stored in the schema: arguments of masks, initial states of aggregates.

use cql::term::{Constant, ConstantKind, Term, TermKind};
use cql::types::Type;

use crate::Result;
use crate::bind::context::{Context, Receiver};
use crate::bind::term::{self, BoundTerm};
use crate::refusal::{ValueReason, refuse};

/// Checks a value without a table. The server binds it to an artificial column, and has no markers.
pub(super) fn prepare(
    cx: &Context<'_>,
    keyspace: &str,
    value: &Term,
    ty: &Type,
) -> Result<BoundTerm> {
    if matches!(value.kind, TermKind::Marker(_)) {
        return refuse(ValueReason::MarkerInDefinition, value.span);
    }
    check_quotes(value)?;
    let receiver = Receiver {
        keyspace: keyspace.into(),
        table: "--dummy--".into(),
        name: "(dummy)".into(),
        ty: ty.clone(),
    };
    let mut alone = Context::for_schema(cx.catalog, cx.keyspace, cx.span);
    term::prepare(&mut alone, value, &receiver, None)
}

/// The server prints the value and parses it again, without doubling the quotes in strings.
fn check_quotes(value: &Term) -> Result<()> {
    let TermKind::Constant(Constant { kind: ConstantKind::String, text }) = &value.kind else {
        return Ok(());
    };
    let mut rest = &**text;
    let mut read = String::from("'");
    while let Some((before, after)) = rest.split_once('\'') {
        read.push_str(before);
        read.push('\'');
        if let Some(after) = after.strip_prefix('\'') {
            read.push('\'');
            rest = after;
            continue;
        }
        let spaces = after.len() - after.trim_start().len();
        read.push_str(after.get(..spaces).unwrap_or_default());
        let after = after.trim_start();
        let end =
            after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        let token = after.get(..end).unwrap_or_default();
        let reason = match token {
            // What follows a semicolon is not parsed.
            "" if after.starts_with(';') => return Ok(()),
            "" => {
                let length = text.chars().count() + 2;
                format!("line 1:{length} mismatched character '<EOF>' expecting '\''")
            }
            _ => format!(
                "line 1:{} no viable alternative at input '{token}' ({read}[{token}]...)",
                read.chars().count()
            ),
        };
        return refuse(ValueReason::UnreadableTerm { text: text.to_string(), reason }, value.span);
    }
    Ok(())
}
