//! USING: timestamps and lifetimes.

use cql::statement::write::Using;
use cql::term::Term;
use cql::types::{NativeType, Type};
use cql::{ErrorCode, Span};

use super::BoundWrite;
use crate::bind::context::{Context, Receiver, invalid};
use crate::bind::term::{self, BoundTerm};
use crate::catalog::Table;
use crate::{Refusal, Result};

/// The longest lifetime, 20 years.
const MAX_TTL: i32 = 20 * 365 * 24 * 60 * 60;

/// The last second at which a cell may expire: local deletion times are 32 bits wide in the default storage mode.
const MAX_EXPIRY: i64 = i32::MAX as i64 - 1;

/// USING, bound.
#[derive(Clone, Debug, Default)]
pub struct BoundUsing {
    /// Microseconds since 1970.
    pub timestamp: Option<(BoundTerm, Span)>,
    /// Seconds.
    pub ttl: Option<(BoundTerm, Span)>,
}

/// Binds USING of a statement on that table (of a batch: on `[batch]`).
pub(super) fn bind(
    cx: &mut Context<'_>,
    using: &Using,
    keyspace: &str,
    table: &str,
) -> Result<BoundUsing> {
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
    Ok(BoundUsing {
        timestamp: part(using.timestamp(), "[timestamp]", NativeType::Bigint)?,
        ttl: part(using.ttl(), "[ttl]", NativeType::Int)?,
    })
}

/// What the server refuses when it reads the lifetime of a write.
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
        let message = format!("A TTL must be greater or equal to 0, but was {ttl}");
        return Err(invalid("TB008", message, *span).with_help("write 0 for no expiry").into());
    }
    if ttl > MAX_TTL {
        let message = format!("ttl is too large. requested ({ttl}) maximum ({MAX_TTL})");
        return Err(invalid("TB008", message, *span).into());
    }
    check_expiry(table, now_ms, (ttl, "ttl"), *span)
}

fn check_expiry(table: &Table, now_ms: i64, (ttl, what): (i32, &str), span: Span) -> Result<()> {
    let now = now_ms.div_euclid(1000);
    if ttl == 0 || now.saturating_add(ttl.into()) <= MAX_EXPIRY {
        return Ok(());
    }
    let message = format!(
        "Request on table {}.{} with {what} of {ttl} seconds exceeds maximum supported expiration date of \
         2038-01-19T03:14:06+00:00. In order to avoid this use a lower TTL, change the expiration date overflow policy \
         or upgrade to a version where this limitation is fixed. See CASSANDRA-14092 and CASSANDRA-14227 for more \
         details.",
        table.keyspace, table.name
    );
    Err(invalid("TB008", message, span).into())
}

/// What the server refuses when it starts to write with a timestamp.
pub(super) fn check_timestamp(timestamp: Option<&(BoundTerm, Span)>) -> Result<()> {
    let Some((BoundTerm::Value(value), span)) = timestamp else { return Ok(()) };
    let message = match value.as_deref() {
        None => "Invalid null value of timestamp".to_owned(),
        Some([]) => {
            let message = "java.lang.NullPointerException: Cannot invoke \"java.lang.Long.longValue()\" because the return \
                           value of \"org.apache.cassandra.db.marshal.LongType.compose(java.nio.ByteBuffer)\" is null";
            return Err(Refusal::text("BA009", ErrorCode::Server, message, *span).into());
        }
        Some(bytes) if *bytes == i64::MIN.to_be_bytes() => {
            format!("Out of bound timestamp, must be in [{}, {}]", i64::MIN + 1, i64::MAX)
        }
        Some(_) => return Ok(()),
    };
    Err(invalid("BA009", message, *span).into())
}
