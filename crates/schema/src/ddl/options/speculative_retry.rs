//! `speculative_retry` and `additional_write_policy`: `99p`, `50ms`, `ALWAYS`, `NEVER`,
//! `MIN(99p,50ms)`.

use cql::Span;

use crate::Result;
use crate::java::number::parse_double;
use crate::refusal::{OptionReason, refuse};

enum RetryPolicy {
    Percentile(f64),
    Fixed(i32),
}

/// Parses a policy and returns it in the server's format.
pub(super) fn read(text: &str, span: Span) -> Result<Box<str>> {
    if text.eq_ignore_ascii_case("never") || text.eq_ignore_ascii_case("none") {
        return Ok("NEVER".into());
    }
    if text.eq_ignore_ascii_case("always") {
        return Ok("ALWAYS".into());
    }
    if let Some((function, first, second)) = hybrid(text) {
        return read_hybrid(text, function, (first, second), span);
    }
    read_simple(text, span).map(|policy| policy.text().into())
}

/// The parts of `MIN(a,b)` and `MAX(a,b)`.
fn hybrid(text: &str) -> Option<(&'static str, &str, &str)> {
    let function = match text.get(..4)?.to_ascii_uppercase().as_str() {
        "MIN(" => "MIN",
        "MAX(" => "MAX",
        _ => return None,
    };
    let (first, second) = text.get(4..)?.strip_suffix(')')?.split_once(',')?;
    let (first, second) = (first.trim_end(), second.trim_start());
    (is_quantity(first) && is_quantity(second)).then_some((function, first, second))
}

/// Whether a text is digits and points, then letters.
fn is_quantity(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < text.len()
        && !unit.is_empty()
        && unit.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn read_hybrid(text: &str, function: &str, parts: (&str, &str), span: Span) -> Result<Box<str>> {
    let (Ok(first), Ok(second)) = (read_simple(parts.0, span), read_simple(parts.1, span)) else {
        return refuse_policy(text, span);
    };
    let (percentile, fixed) = match (&first, &second) {
        (RetryPolicy::Percentile(_), RetryPolicy::Fixed(_)) => (first, second),
        (RetryPolicy::Fixed(_), RetryPolicy::Percentile(_)) => (second, first),
        (RetryPolicy::Percentile(_), RetryPolicy::Percentile(_)) => {
            return refuse_same_policies(text, "PERCENTILE", span);
        }
        (RetryPolicy::Fixed(_), RetryPolicy::Fixed(_)) => {
            return refuse_same_policies(text, "FIXED", span);
        }
    };
    Ok(format!("{function}({},{})", percentile.text(), fixed.text()).into())
}

fn refuse_same_policies<T>(text: &str, kind: &str, span: Span) -> Result<T> {
    refuse(OptionReason::SamePolicies { text: text.to_string(), kind: kind.to_string() }, span)
}

fn read_simple(text: &str, span: Span) -> Result<RetryPolicy> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = text.strip_suffix(unit).unwrap_or_default();
    let unit = unit.to_ascii_lowercase();
    let ("p" | "percentile" | "ms", Ok(value)) = (unit.as_str(), parse_double(number)) else {
        return refuse_policy(text, span);
    };
    if unit == "ms" {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the server reads a double and keeps an int"
        )]
        return Ok(RetryPolicy::Fixed(value as i32));
    }
    if value <= 0.0 || value >= 100.0 {
        return refuse(OptionReason::Percentile { text: text.to_string() }, span);
    }
    Ok(RetryPolicy::Percentile(value))
}

fn refuse_policy<T>(text: &str, span: Span) -> Result<T> {
    refuse(OptionReason::RetryPolicy { text: text.to_string() }, span)
}

impl RetryPolicy {
    fn text(&self) -> String {
        match self {
            Self::Percentile(value) => {
                let text = format!("{value:.4}");
                format!("{}p", text.trim_end_matches('0').trim_end_matches('.'))
            }
            Self::Fixed(milliseconds) => format!("{milliseconds}ms"),
        }
    }
}
