//! The memory of long statements: syntax tree and bound statement take many times the length of a
//! text, above all that of a collection with many short elements. The statements that wait or run
//! together take a bounded memory ([`RequestMemory`](super::admission::RequestMemory)), and one that
//! would need more than all of it is refused.

use std::ops::Range;

use bytes::Bytes;
use cql::protocol::MarkerValue;
use wire::{BatchStatement, DecodedFrame, Request, StatementRef, frame};

/// Requests up to this size are not weighed: the number of threads bounds their memory.
const SHORT_REQUEST: usize = 16 << 10;
/// Up to this size, weighing takes less than a millisecond, and blocks the thread of the socket.
const QUICK_BYTES: usize = 128 << 10;
/// The memory of a token, from the text to the row.
const TOKEN_BYTES: usize = 512;
/// The memory of an element of a collection that is the value of a marker.
const ELEMENT_BYTES: usize = 512;
/// The copies of a text, or of the values of markers.
const COPIES: usize = 6;

/// The memory that each of some requests needs to run, in bytes; an upper estimate.
pub(super) async fn weigh(bytes: &Bytes, requests: &[Range<usize>]) -> Vec<usize> {
    if !requests.iter().any(is_long) {
        return vec![0; requests.len()];
    }
    if bytes.len() <= QUICK_BYTES {
        return weigh_all(bytes, requests);
    }
    let (bytes, requests) = (bytes.clone(), requests.to_vec());
    let count = requests.len();
    let weighing = tokio::task::spawn_blocking(move || weigh_all(&bytes, &requests));
    weighing.await.unwrap_or_else(|_| vec![0; count])
}

fn weigh_all(bytes: &Bytes, requests: &[Range<usize>]) -> Vec<usize> {
    let weigh = |range: &Range<usize>| {
        if is_long(range) { weigh_request(&bytes.slice(range.clone())) } else { 0 }
    };
    requests.iter().map(weigh).collect()
}

fn is_long(range: &Range<usize>) -> bool {
    range.len() > SHORT_REQUEST
}

fn weigh_request(bytes: &Bytes) -> usize {
    let DecodedFrame::Frame(frame, _) = frame::decode(bytes, usize::MAX) else { return 0 };
    let (tokens, elements) = match Request::decode(&frame) {
        Ok((_, Request::Query(text, options))) => {
            (cql::count_tokens(text), count_elements(options.values.iter()))
        }
        Ok((_, Request::Prepare(text, _))) => (cql::count_tokens(text), 0),
        Ok((_, Request::Execute(_, options))) => (0, count_elements(options.values.iter())),
        Ok((_, Request::Batch(batch))) => {
            let tokens = |statement: &BatchStatement<'_>| match statement.text {
                StatementRef::Text(text) => cql::count_tokens(text),
                StatementRef::Prepared(_) => 0,
            };
            let values = batch.statements.iter().flat_map(|statement| &statement.values);
            (batch.statements.iter().map(tokens).sum(), count_elements(values))
        }
        _ => (0, 0),
    };
    bytes.len() * COPIES + tokens * TOKEN_BYTES + elements * ELEMENT_BYTES
}

/// The number of elements of the values that may be collections: these start with the number, and
/// each element has a length of four bytes. The types are not known here.
fn count_elements<'v>(values: impl Iterator<Item = &'v MarkerValue<'v>>) -> usize {
    let count = |value: &MarkerValue<'_>| {
        let MarkerValue::Bytes(bytes) = value else { return None };
        let (count, rest) = bytes.split_first_chunk()?;
        let count = usize::try_from(u32::from_be_bytes(*count)).ok()?;
        (count.checked_mul(size_of::<u32>())? <= rest.len()).then_some(count)
    };
    values.filter_map(count).sum()
}

#[cfg(test)]
mod tests {
    use cql::BatchKind;
    use cql::protocol::MarkerValues;
    use wire::{Batch, ProtocolVersion, QueryOptions, RequestHead};

    use super::*;

    fn weigh(request: &Request<'_>) -> usize {
        let mut out = Vec::new();
        request.encode(&RequestHead::new(ProtocolVersion::V4, 1), &mut out);
        weigh_request(&out.into())
    }

    #[test]
    fn elements_weigh_more_than_long_values() {
        let literal = format!("INSERT INTO t (k, v) VALUES (1, '{}')", "x".repeat(100_000));
        let list = format!("INSERT INTO t (k, v) VALUES (1, [{}1])", "1,".repeat(50_000));
        let value = vec![b'x'; 100_000];
        let mut elements = 10_000_u32.to_be_bytes().to_vec();
        elements.resize(4 + 10_000 * 10, 0);
        let options = |value| QueryOptions {
            values: MarkerValues::from_positional(vec![MarkerValue::Bytes(value)]),
            ..QueryOptions::default()
        };
        let batch = |text, value| {
            let values = vec![MarkerValue::Bytes(value)];
            let statements = vec![BatchStatement { text: StatementRef::Text(text), values }];
            let (kind, options) = (BatchKind::Logged, QueryOptions::default());
            Request::Batch(Batch { kind, statements, options })
        };
        for (light, heavy, units) in [
            (
                Request::Query(&literal, QueryOptions::default()),
                Request::Query(&list, QueryOptions::default()),
                100_000 * TOKEN_BYTES,
            ),
            (
                Request::Prepare(&literal, None),
                Request::Prepare(&list, None),
                100_000 * TOKEN_BYTES,
            ),
            (
                Request::Execute(b"id", options(&value)),
                Request::Execute(b"id", options(&elements)),
                10_000 * ELEMENT_BYTES,
            ),
            (batch("", &value), batch(&list, &elements), 100_000 * TOKEN_BYTES),
        ] {
            let (light, heavy) = (weigh(&light), weigh(&heavy));
            assert!((600_000..620_000).contains(&light), "{light}");
            assert!(heavy > units && heavy < units * 2, "{heavy}");
        }
    }
}
