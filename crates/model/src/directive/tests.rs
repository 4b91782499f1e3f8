//! Directives read from comments.

use super::*;
use crate::concept::{FanOutCourse, Growth};

/// A figure without growth.
fn constant(today: f64) -> GrowingFigure {
    today.into()
}

/// What a comment says, when nothing is wrong with it.
fn parse_kinds(text: &str) -> Vec<DirectiveKind> {
    let (directives, errors) = parse(text, 0);
    assert_eq!(errors, [], "{text}");
    directives.into_iter().map(|directive| directive.kind).collect()
}

/// The only error about a comment: rule, underlined text, help.
fn parse_error(text: &str) -> (&'static str, &str, String) {
    let (_, errors) = parse(text, 0);
    let [error] = errors.as_slice() else { panic!("{text}: {errors:?}") };
    (error.rule, error.span.text(text), error.help.clone().unwrap())
}

#[test]
fn every_directive_of_the_table() {
    use DirectiveKind as D;
    let text = "@keyspace killrvideo @replication dc1:3, dc2:2 @nodes 6 @tenant tenant_id";
    let centers = vec![("dc1".to_owned(), 3), ("dc2".to_owned(), 2)];
    assert_eq!(
        parse_kinds(text),
        [
            D::Keyspace("killrvideo".into()),
            D::Replication(centers),
            D::Nodes(6),
            D::Tenant("tenant_id".into()),
        ]
    );
    assert_eq!(
        parse_kinds("@rows 10M  @grows 1M/day @retain 90d"),
        [D::Rows(constant(10e6)), D::Grows(Growth::linear(1e6)), D::Retain(7_776_000.0)]
    );
    assert_eq!(parse_kinds("@retain 90 days"), [D::Retain(7_776_000.0)]);
    assert_eq!(
        parse_kinds("@skew zipf 1.1 @distinct 200k @bytes 24 @items 5 @time @set @exact"),
        [
            D::Skew(1.1),
            D::Distinct(200e3),
            D::Bytes(24.0),
            D::Items(constant(5.0)),
            D::Time,
            D::Set,
            D::Exact
        ]
    );
    assert_eq!(
        parse_kinds("@bytes 20KB @rate 3k/s @strict @consistency quorum"),
        [D::Bytes(20_000.0), D::Rate(3_000.0), D::Strict, D::Consistency("QUORUM".into())]
    );
    assert_eq!(
        parse_kinds("@relation posts @time @relation belongs to"),
        [D::Relation("posts".into()), D::Time, D::Relation("belongs to".into())]
    );
    let names = [("UserByEmail".to_owned(), Span::default()), ("Q2".to_owned(), Span::default())];
    assert_eq!(parse_kinds("@after UserByEmail, Q2"), [D::After(names.to_vec())]);
    assert_eq!(parse_kinds("@grows 24/h"), [D::Grows(Growth::linear(576.0))]);
}

#[test]
fn spans_and_rows_returned() {
    use DirectiveKind as D;
    let span =
        |column: Option<&str>, width| StatedSpan { column: column.map(str::to_owned), width };
    assert_eq!(parse_kinds("@span 6h"), [D::Span(vec![span(None, SpanWidth::Seconds(21_600.0))])]);
    assert_eq!(
        parse_kinds("@span placed 2 days, entry 1k"),
        [D::Span(vec![
            span(Some("placed"), SpanWidth::Seconds(172_800.0)),
            span(Some("entry"), SpanWidth::Values(1_000.0)),
        ])]
    );
    assert_eq!(
        parse_kinds("@returns 20 p99 500 @rate 1/s"),
        [D::Returns(ResultSize { mean: 20.0, p99: 500.0 }), D::Rate(1.0)]
    );
    assert_eq!(parse_kinds("@returns 3"), [D::Returns(ResultSize { mean: 3.0, p99: 3.0 })]);
    for (text, rule, underlined) in [
        ("@span", "MF102", "@span"),
        ("@span placed", "MF102", "@span"),
        ("@span placed,", "MF102", "@span"),
        ("@span 0h", "MF102", "0h"),
        ("@returns 50 p99 2", "MF106", "@returns 50 p99 2"),
    ] {
        let (found, place, _) = parse_error(text);
        assert_eq!((found, place), (rule, underlined), "{text}");
    }
    // Documentation tools have a tag of that name.
    assert_eq!(parse_prose("@returns the user", 0), (Vec::new(), Vec::new()));
}

#[test]
fn fan_outs() {
    let course = FanOutCourse::default();
    let figures = |mean, p99, max, per| EachFigures { mean, p99, p999: None, max, per, course };
    let each = |mean, p99, max, per| [DirectiveKind::Each(figures(mean, p99, max, per))];
    assert_eq!(parse_kinds("@each 50 p99 2k max 200k"), each(50.0, 2e3, 200e3, None));
    assert_eq!(parse_kinds("@each 50"), each(50.0, 50.0, 50.0, None));
    assert_eq!(parse_kinds("@each 50 p99 2k"), each(50.0, 2e3, 2e3, None));
    assert_eq!(parse_kinds("@each 50 max 2k"), each(50.0, 50.0, 2e3, None));
    assert_eq!(parse_kinds("@each 3/day p99 100/day"), each(3.0, 100.0, 100.0, Some(86_400.0)));
    // Two an hour are 48 a day.
    assert_eq!(parse_kinds("@each 3/day p99 2/h"), each(3.0, 48.0, 48.0, Some(86_400.0)));
    let rare = |max| {
        [DirectiveKind::Each(EachFigures { p999: Some(9e3), ..figures(50.0, 2e3, max, None) })]
    };
    assert_eq!(parse_kinds("@each 50 p99 2k p99.9 9k max 200k"), rare(200e3));
    assert_eq!(parse_kinds("@each 50 p99 2k p99.9 9k"), rare(9e3));
}

#[test]
fn contradictions() {
    for (text, rule) in [
        ("@each 50 p99 20", "MF106"),
        ("@each 50 p99 200 max 100", "MF106"),
        ("@each 50 max 10", "MF106"),
        ("@each 50 p99 200 p99.9 100", "MF106"),
        ("@each 50 p99.9 200 max 100", "MF106"),
        ("@each 3/day p99 100", "MF106"),
        ("@replication dc1:3, dc1:2", "MF106"),
        ("@rows 5k, 4k in 1 year", "MF106"),
        ("@rows 1k, 4k in 1 year, 5k in 30d", "MF106"),
        ("@grows 5/day, 9/day from 1 year, 3/day from 30d", "MF106"),
        ("@each 50, 20 in 1 year", "MF106"),
    ] {
        let (found, place, _) = parse_error(text);
        assert_eq!((found, place), (rule, text));
    }
}

#[test]
fn prose_and_addresses_are_no_directives() {
    assert_eq!(
        parse_kinds("ask ann@example.org, or @ noon: users, about @rows 5"),
        [DirectiveKind::Rows(constant(5.0))]
    );
    assert_eq!(parse_kinds("Name: users; Type: TABLE; Schema: public; Owner: a@b"), []);
}

#[test]
fn figures_that_grow() {
    let growth = |days| Growth::from_dates(1e3, days);
    assert_eq!(
        parse_kinds("@rows 1k, 50k in 6 months, 500k in 1year @items 10 grows 5/day"),
        [
            DirectiveKind::Rows(GrowingFigure {
                today: 1e3,
                growth: growth(&[(180.0, 50e3), (365.0, 500e3)]),
            }),
            DirectiveKind::Items(GrowingFigure { today: 10.0, growth: Some(Growth::linear(5.0)) }),
        ]
    );
}

#[test]
fn rates_in_steps() {
    let growth = Growth::from_rates(100.0, &[(180.0, 1e3), (730.0, 300.0)]);
    assert_eq!(
        parse_kinds("@grows 100/day, 1k/day from 6mo, 300/day from 2y @rows 10 grows 100/day"),
        [
            DirectiveKind::Grows(growth.unwrap()),
            DirectiveKind::Rows(GrowingFigure { today: 10.0, growth: Some(Growth::linear(100.0)) }),
        ]
    );
    let each = |text: &str| match parse_kinds(text).as_slice() {
        [DirectiveKind::Each(each)] => *each,
        other => panic!("{text}: {other:?}"),
    };
    // 3 a day for 100 days, then 27: 15 on average until the last date, 12 a day after it.
    let steps = each("@each 3/day p99 30/day max 60/day, 27/day from 100d, 12/day from 200d");
    assert_eq!((steps.mean, steps.p99, steps.max), (15.0, 150.0, 300.0));
    assert_eq!((steps.per, steps.course.today), (Some(86_400.0), None));
    assert_eq!(steps.course.curve.slopes(), [(0.0, 0.2), (100.0, 1.8), (200.0, 0.8)]);
    // 1,000 today and 4,000 more in 200 days.
    let dated = each("@each 1k p99 3k, 2k in 100d, 5k in 200d");
    assert_eq!((dated.mean, dated.p99, dated.per), (20.0, 60.0, Some(86_400.0)));
    assert_eq!(dated.course.today, Some(1e3));
}

#[test]
fn misspelt_directives_are_errors() {
    assert_eq!(parse_error("@row 5"), ("MF101", "@row", "write @rows".into()));
    assert_eq!(parse_error("@ROWS 5").2, "write @rows");
    assert_eq!(parse_error("@retian 5d").2, "write @retain");
    let (rule, place, help) = parse_error("see @author x");
    assert_eq!((rule, place), ("MF101", "@author"));
    assert!(help.starts_with("write one of @after, @bytes"), "{help}");
}

#[test]
fn arguments_that_cannot_be() {
    for (text, rule, place) in [
        ("@rows", "MF102", "@rows"),
        ("@rows many", "MF102", "many"),
        ("@rows 0", "MF102", "0"),
        ("@rows 1,500", "MF103", ",500"),
        ("@rows 1k, 5k in", "MF102", "@rows"),
        ("@rows 1k, 5k in 6", "MF102", "6"),
        ("@items 10 grows 5", "MF102", "5"),
        ("@rows 5 @rate 5", "MF102", "5"),
        ("@retain 90", "MF102", "90"),
        ("@nodes 2.5", "MF102", "2.5"),
        ("@skew pareto 1", "MF102", "pareto"),
        ("@replication 3", "MF102", "3"),
        ("@consistency most", "MF102", "most"),
        ("@each 50 p99 2k mx 200k", "MF103", "mx 200k"),
        ("@set of words", "MF103", "of words"),
        ("@after A,", "MF102", "@after"),
        ("@keyspace a-b", "MF102", "a-b"),
    ] {
        let (found, underlined, help) = parse_error(text);
        assert_eq!((found, underlined), (rule, place), "{text}");
        assert!(help.starts_with("write "), "{help}");
    }
}

#[test]
fn what_is_wrong_does_not_hide_the_rest() {
    let (directives, errors) = parse("@rows x @grows 1/day @bogus @retain y", 100);
    assert_eq!(directives.len(), 1);
    assert!(directives[0].span.is_same_place(Span::new(108, 120)));
    assert_eq!(errors.len(), 3);
}

#[test]
fn places() {
    let (directives, _) = parse("@rows 5 @rate 5/s @rows 6", 0);
    assert!(directives[0].placement_error(DirectiveTarget::Table).is_none());
    let error = directives[1].placement_error(DirectiveTarget::Column).unwrap();
    assert_eq!(error.message, "@rate does not apply to a column without a reference");
    assert_eq!(error.help.unwrap(), "write it directly above a named query or write");
    assert_eq!(duplicate_errors(&directives).len(), 1);
    assert!(duplicate_errors(&directives)[0].span.is_same_place(Span::new(18, 25)));
}
