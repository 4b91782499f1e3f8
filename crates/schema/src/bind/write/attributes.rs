//! USING: timestamps and TTLs.

use cql::Span;
use cql::statement::write::UsingClause;
use cql::term::Term;
use cql::types::{NativeType, Type};

use super::BoundWrite;
use crate::bind::context::{Context, Receiver};
use crate::bind::term::{self, BoundTerm};
use crate::catalog::Table;
use crate::refusal::{WriteReason, refuse};
use crate::{Refusal, Result};

/// The maximum TTL, 20 years.
const MAX_TTL: i32 = 20 * 365 * 24 * 60 * 60;

/// The last second at which a cell may expire: local deletion times have 32 bits in the default
/// storage mode.
const MAX_EXPIRY: i64 = i32::MAX as i64 - 1;

/// The bound USING clause.
#[derive(Clone, Debug, Default)]
pub struct BoundAttributes {
    /// The timestamp in microseconds since 1970.
    pub timestamp: Option<(BoundTerm, Span)>,
    /// The TTL in seconds.
    pub ttl: Option<(BoundTerm, Span)>,
}

/// Binds USING of a statement on that table (of a batch: on `[batch]`).
pub(super) fn bind(
    cx: &mut Context<'_>,
    using: &UsingClause,
    keyspace: &str,
    table: &str,
) -> Result<BoundAttributes> {
    let mut part = |term: Option<&Term>, name: &str, native| -> Result<Option<(BoundTerm, Span)>> {
        let Some(term) = term else { return Ok(None) };
        let receiver = Receiver {
            keyspace: keyspace.into(),
            table: table.into(),
            name: name.into(),
            ty: Type::Native(native),
        };
        Ok(Some((term::prepare(cx, term, &receiver, None)?, term.span)))
    };
    Ok(BoundAttributes {
        timestamp: part(using.timestamp(), "[timestamp]", NativeType::Bigint)?,
        ttl: part(using.ttl(), "[ttl]", NativeType::Int)?,
    })
}

/// The errors of the TTL at execution.
pub(super) fn check_ttl(write: &BoundWrite, now_ms: i64) -> Result<()> {
    let table = &write.table;
    let Some((term, span)) = &write.using.ttl else {
        let ttl = table.params.default_time_to_live;
        return check_expiry(table, now_ms, (ttl, "default ttl"), write.span);
    };
    let BoundTerm::Value(Some(bytes)) = term else { return Ok(()) };
    let Ok(bytes) = <[u8; 4]>::try_from(&**bytes) else { return Ok(()) };
    let ttl = i32::from_be_bytes(bytes);
    if ttl < 0 {
        return Err(Refusal::new(WriteReason::NegativeTtl { ttl: ttl.to_string() }, *span)
            .with_help("write 0 for no expiry")
            .into());
    }
    if ttl > MAX_TTL {
        return refuse(
            WriteReason::TtlTooLarge { ttl: ttl.to_string(), most: MAX_TTL.to_string() },
            *span,
        );
    }
    check_expiry(table, now_ms, (ttl, "ttl"), *span)
}

fn check_expiry(table: &Table, now_ms: i64, (ttl, what): (i32, &str), span: Span) -> Result<()> {
    let now = now_ms.div_euclid(1000);
    if ttl == 0 || now.saturating_add(ttl.into()) <= MAX_EXPIRY {
        return Ok(());
    }
    refuse(
        WriteReason::ExpirationOverflow {
            keyspace: table.keyspace.to_string(),
            table: table.name.to_string(),
            what: what.to_string(),
            ttl: ttl.to_string(),
        },
        span,
    )
}

/// The errors of the timestamp at execution.
pub(super) fn check_timestamp(timestamp: Option<&(BoundTerm, Span)>) -> Result<()> {
    let Some((BoundTerm::Value(value), span)) = timestamp else { return Ok(()) };
    let reason = match value.as_deref() {
        None => WriteReason::NullTimestampValue,
        Some([]) => {
            return refuse(WriteReason::NullTimestamp, *span);
        }
        Some(bytes) if *bytes == i64::MIN.to_be_bytes() => {
            WriteReason::TimestampOutOfBound { least: i64::MIN + 1, most: i64::MAX }
        }
        Some(_) => return Ok(()),
    };
    refuse(reason, *span)
}
