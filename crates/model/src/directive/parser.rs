//! The parser of directives in the text of a comment.

use cql::{Diagnostic, spelling};

use super::arguments::{Arguments, ParseResult};
use super::words::{Word, words};
use super::{Directive, DirectiveKind, EachFigures, SqlDialect, StatedSpan, growing_figure};
use crate::concept::{DAY, FanOutCourse};
use crate::diagnostics::error;
use crate::workload::ResultSize;

/// The names of all directives, without the `@`.
pub const NAMES: &[&str] = &[
    "after",
    "bytes",
    "column",
    "consistency",
    "dialect",
    "distinct",
    "each",
    "exact",
    "grows",
    "items",
    "keyspace",
    "nodes",
    "query",
    "rate",
    "relation",
    "replication",
    "retain",
    "returns",
    "rows",
    "set",
    "skew",
    "span",
    "strict",
    "table",
    "tenant",
    "time",
];

/// A relation is named by a word or two, not by a sentence.
const RELATION_CHARACTERS_MAX: usize = 40;

/// The consistency levels of CQL.
const CONSISTENCY_LEVELS: &[&str] = &[
    "any",
    "one",
    "two",
    "three",
    "quorum",
    "all",
    "local_quorum",
    "each_quorum",
    "serial",
    "local_serial",
    "local_one",
];

/// Tags of documentation tools that look like directives.
const OTHER_TOOLS: &[&str] = &[
    "author",
    "deprecated",
    "link",
    "param",
    "return",
    "returns",
    "see",
    "since",
    "throws",
    "todo",
    "version",
];

/// The directives of a comment whose text (without the marks of the comment) stands at `offset` of
/// the file, and what is wrong with it.
pub fn parse(text: &str, offset: u32) -> (Vec<Directive>, Vec<Diagnostic>) {
    parse_unless(text, offset, |_| false)
}

/// Like [`parse`], for comments that may contain prose and tags of other tools: a word with `@`
/// that is neither a directive nor spelled like one is ignored.
pub fn parse_prose(text: &str, offset: u32) -> (Vec<Directive>, Vec<Diagnostic>) {
    parse_unless(text, offset, |name| {
        let lower = name.to_lowercase();
        let is_known = || NAMES.contains(&name) || nearest_name(&lower).is_some();
        OTHER_TOOLS.contains(&&*lower) || !is_known()
    })
}

/// The directives of a comment, without those whose name is to be skipped.
fn parse_unless(
    text: &str,
    offset: u32,
    is_skipped: impl Fn(&str) -> bool,
) -> (Vec<Directive>, Vec<Diagnostic>) {
    let (mut directives, mut errors) = (Vec::new(), Vec::new());
    if !text.contains('@') {
        return (directives, errors);
    }
    let words = words(text, offset);
    let mut rest = words.as_slice();
    while let Some(start) = rest.iter().position(Word::is_directive) {
        let behind = &rest[start + 1..];
        let end = behind.iter().position(Word::is_directive).unwrap_or(behind.len());
        let mut arguments = Arguments::new(rest[start], &behind[..end]);
        rest = &behind[end..];
        if is_skipped(arguments.name()) {
            continue;
        }
        match parse_directive(&mut arguments) {
            Ok(kind) => {
                errors.extend(arguments.leftover_error());
                directives.push(Directive { kind, span: arguments.span() });
            }
            Err(error) => errors.push(*error),
        }
    }
    (directives, errors)
}

fn nearest_name(lower: &str) -> Option<&'static str> {
    let known = NAMES.iter().copied().find(|known| *known == lower);
    known.or_else(|| spelling::find_nearest(lower, NAMES.iter().copied()))
}

fn parse_directive(arguments: &mut Arguments<'_, '_>) -> ParseResult<DirectiveKind> {
    Ok(match arguments.name() {
        "dialect" => DirectiveKind::Dialect(parse_dialect(arguments)?),
        "keyspace" => DirectiveKind::Keyspace(parse_keyspace(arguments)?),
        "replication" => DirectiveKind::Replication(parse_replication(arguments)?),
        "nodes" => DirectiveKind::Nodes(arguments.parse_whole_number()?),
        "tenant" => {
            DirectiveKind::Tenant(parse_identifier(arguments, "write the name of a column")?)
        }
        "table" => DirectiveKind::Table(parse_table(arguments)?),
        "column" => {
            let (table, column) = parse_column(arguments)?;
            DirectiveKind::Column(table, column)
        }
        "query" => DirectiveKind::Query(parse_identifier(arguments, "write the name of a query")?),
        "rows" => DirectiveKind::Rows(growing_figure::parse(arguments)?),
        "grows" => DirectiveKind::Grows(growing_figure::parse_rates(arguments)?),
        "retain" => DirectiveKind::Retain(arguments.parse_duration()?),
        "each" => DirectiveKind::Each(parse_each(arguments)?),
        "relation" => DirectiveKind::Relation(parse_relation(arguments)?),
        "skew" => DirectiveKind::Skew(parse_skew(arguments)?),
        "distinct" => DirectiveKind::Distinct(arguments.parse_number()?),
        "bytes" => DirectiveKind::Bytes(arguments.parse_size()?),
        "items" => DirectiveKind::Items(growing_figure::parse(arguments)?),
        "time" => DirectiveKind::Time,
        "set" => DirectiveKind::Set,
        "exact" => DirectiveKind::Exact,
        "rate" => DirectiveKind::Rate(parse_per_second(arguments)?),
        "span" => DirectiveKind::Span(parse_spans(arguments)?),
        "returns" => DirectiveKind::Returns(parse_returns(arguments)?),
        "after" => DirectiveKind::After(parse_after(arguments)?),
        "strict" => DirectiveKind::Strict,
        "consistency" => DirectiveKind::Consistency(parse_consistency(arguments)?),
        unknown => return Err(Box::new(unknown_directive(arguments.directive, unknown))),
    })
}

fn unknown_directive(word: Word<'_>, name: &str) -> Diagnostic {
    let help = match nearest_name(&name.to_lowercase()) {
        Some(nearest) => format!("write @{nearest}"),
        None => format!("write one of @{}", NAMES.join(", @")),
    };
    error("MF101", word.span, format!("unknown directive @{name}"), help)
}

fn parse_per_second(arguments: &mut Arguments<'_, '_>) -> ParseResult<f64> {
    arguments.parse_rate().map(|(count, seconds)| count / seconds)
}

fn parse_dialect(arguments: &mut Arguments<'_, '_>) -> ParseResult<SqlDialect> {
    arguments.parse_next("write postgresql or mysql", |word| {
        match word.text.to_lowercase().as_str() {
            "postgresql" | "postgres" => Some(SqlDialect::Postgres),
            "mysql" | "mariadb" => Some(SqlDialect::Mysql),
            _ => None,
        }
    })
}

/// Cassandra's keyspaces are named by at most 48 letters, digits and underscores.
fn parse_keyspace(arguments: &mut Arguments<'_, '_>) -> ParseResult<String> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    arguments.parse_next("write at most 48 letters, digits and underscores", |word| {
        (word.text.len() <= 48 && word.text.bytes().all(legal)).then(|| word.text.to_owned())
    })
}

fn parse_identifier(arguments: &mut Arguments<'_, '_>, help: &str) -> ParseResult<String> {
    arguments.parse_next(help, |word| is_name(word.text).then(|| word.text.to_owned()))
}

/// A table, with or without its schema.
fn parse_table(arguments: &mut Arguments<'_, '_>) -> ParseResult<String> {
    arguments.parse_next("write the name of a table, such as users or public.users", |word| {
        let (_, table) = word.text.rsplit_once('.').unwrap_or(("", word.text));
        is_name(table).then(|| table.to_owned())
    })
}

/// A column, with its table.
fn parse_column(arguments: &mut Arguments<'_, '_>) -> ParseResult<(String, String)> {
    arguments.parse_next("write a table and its column, such as users.email", |word| {
        let (table, column) = word.text.rsplit_once('.')?;
        let (_, table) = table.rsplit_once('.').unwrap_or(("", table));
        (is_name(table) && is_name(column)).then(|| (table.to_owned(), column.to_owned()))
    })
}

fn parse_replication(arguments: &mut Arguments<'_, '_>) -> ParseResult<Vec<(String, u32)>> {
    let help = "write each datacenter with its copies, such as dc1:3, dc2:3";
    let list = arguments.parse_list(help, |word| {
        let (center, copies) = word.text.split_once(':')?;
        let copies = copies.parse().ok().filter(|copies| (1..=1_000).contains(copies))?;
        (!center.is_empty()).then(|| (center.to_owned(), copies))
    })?;
    let mut centers: Vec<_> = list.iter().map(|(center, _)| center).collect();
    centers.sort_unstable();
    match centers.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            let message = format!("@replication lists the datacenter {} twice", pair[0]);
            Err(Box::new(error("MF106", arguments.span(), message, "list each datacenter once")))
        }
        None => Ok(list),
    }
}

fn parse_each(arguments: &mut Arguments<'_, '_>) -> ParseResult<EachFigures> {
    let (mean, per) = arguments.parse_figure()?;
    let (mut p99, mut p999, mut max) = (None, None, None);
    loop {
        let place = match () {
            () if p99.is_none() && arguments.take_keyword("p99") => &mut p99,
            () if p999.is_none() && arguments.take_keyword("p99.9") => &mut p999,
            () if max.is_none() && arguments.take_keyword("max") => &mut max,
            () => break,
        };
        let (figure, figure_per) = arguments.parse_figure()?;
        *place = Some(match (per, figure_per) {
            (Some(per), Some(figure_per)) => figure * per / figure_per,
            (None, None) => figure,
            _ => {
                let message = "@each mixes totals with rates";
                let help = "write all figures as rates (3/day p99 100/day), or none";
                return Err(Box::new(error("MF106", arguments.span(), message, help)));
            }
        });
    }
    let p99_or_mean = p99.unwrap_or(mean);
    let rare = p999.unwrap_or(p99_or_mean);
    let max = max.unwrap_or(rare);
    let course = FanOutCourse::default();
    let each = EachFigures { mean, p99: p99_or_mean, p999, max, per, course };
    let contradiction = match () {
        () if mean > each.p99 => "its mean is above its p99",
        () if mean > each.max => "its mean is above its max",
        () if each.p99 > rare => "its p99 is above its p99.9",
        () if each.p99 > each.max => "its p99 is above its max",
        () if rare > each.max => "its p99.9 is above its max",
        () => return parse_each_course(arguments, each),
    };
    let message = format!("@each is inconsistent: {contradiction}");
    let help = "write mean, p99 and max in ascending order, such as @each 50 p99 2k max 200k";
    Err(Box::new(error("MF106", arguments.span(), message, help)))
}

/// The figures of an `@each` with what follows them: figures at dates, or rates from dates on. They
/// have the shape of the first.
fn parse_each_course(
    arguments: &mut Arguments<'_, '_>,
    each: EachFigures,
) -> ParseResult<EachFigures> {
    let Some((daily, course)) = growing_figure::parse_course(arguments, (each.mean, each.per))?
    else {
        return Ok(each);
    };
    let scaled = |figure: f64| figure * daily / each.mean;
    Ok(EachFigures {
        mean: daily,
        p99: scaled(each.p99),
        p999: each.p999.map(scaled),
        max: scaled(each.max),
        per: Some(DAY),
        course,
    })
}

/// A verb of one or more words: `posts`, `belongs to`.
fn parse_relation(arguments: &mut Arguments<'_, '_>) -> ParseResult<String> {
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_-'".contains(c));
    let help = "write a verb such as posts or belongs to";
    let mut name =
        arguments.parse_next(help, |word| is_word(word.text).then(|| word.text.to_owned()))?;
    while let Some(word) = arguments.take_word(is_word) {
        name.push(' ');
        name.push_str(word.text);
    }
    if name.chars().count() > RELATION_CHARACTERS_MAX {
        let message =
            format!("the name in @relation is longer than {RELATION_CHARACTERS_MAX} characters");
        return Err(Box::new(error("MF102", arguments.span(), message, help)));
    }
    Ok(name)
}

fn parse_spans(arguments: &mut Arguments<'_, '_>) -> ParseResult<Vec<StatedSpan>> {
    let mut spans = Vec::new();
    loop {
        let column = arguments.take_word(is_name).map(|word| word.text.to_owned());
        spans.push(StatedSpan { column, width: arguments.parse_span_width()? });
        if !arguments.take_comma() {
            return Ok(spans);
        }
    }
}

fn parse_returns(arguments: &mut Arguments<'_, '_>) -> ParseResult<ResultSize> {
    let mean = arguments.parse_number()?;
    let p99 = if arguments.take_keyword("p99") { arguments.parse_number()? } else { mean };
    if p99 < mean {
        let message = "@returns is inconsistent: its mean is above its p99";
        let help = "write the mean before the p99, such as @returns 20 p99 500";
        return Err(Box::new(error("MF106", arguments.span(), message, help)));
    }
    Ok(ResultSize { mean, p99 })
}

fn parse_skew(arguments: &mut Arguments<'_, '_>) -> ParseResult<f64> {
    let help = "write zipf and an exponent, such as @skew zipf 1.1";
    arguments.parse_next(help, |word| (word.text == "zipf").then_some(()))?;
    arguments.parse_next(help, |word| {
        let exponent: f64 = word.text.parse().ok()?;
        (exponent > 0.0 && exponent <= 10.0).then_some(exponent)
    })
}

fn parse_after(arguments: &mut Arguments<'_, '_>) -> ParseResult<Vec<(String, cql::Span)>> {
    let help = "write the names of queries, such as @after UserByEmail, LatestVideos";
    arguments.parse_list(help, |word| is_name(word.text).then(|| (word.text.to_owned(), word.span)))
}

fn parse_consistency(arguments: &mut Arguments<'_, '_>) -> ParseResult<String> {
    let help = format!("write one of {}", CONSISTENCY_LEVELS.join(", "));
    arguments.parse_next(&help, |word| {
        let lower = word.text.to_lowercase();
        CONSISTENCY_LEVELS.contains(&lower.as_str()).then(|| lower.to_uppercase())
    })
}

/// Whether this is a valid name of a query or column.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
