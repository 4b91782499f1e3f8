//! Types and values compared with those that a real node wrote into `testdata/`.

use std::sync::Arc;

use cql::term::ConstantKind;
use cql::types::{ClassError, Frozenness, MAX_TYPE_DEPTH, NativeType, Type, UserType, parse_class};
use cql::value::{
    bytes_to_hex, compare, compare_reversed, decode, encode, hex_to_bytes, literal, parse_constant,
    preferred_type, test_constant_assignment, validate,
};

/// The lines of a data file, split at tabs.
fn rows(file: &str) -> Vec<Vec<&str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect()).collect()
}

/// Collects all differences, to show them together.
#[derive(Default)]
struct Report {
    checked: usize,
    wrong: Vec<String>,
}

impl Report {
    fn check(&mut self, what: &str, found: &str, expected: &str) {
        self.checked += 1;
        if found != expected {
            self.wrong.push(format!("{what}\n  is {expected:?}\n not {found:?}"));
        }
    }

    fn finish(self, least: usize) {
        assert!(
            self.wrong.is_empty(),
            "{} of {} wrong\n{}",
            self.wrong.len(),
            self.checked,
            self.wrong.join("\n")
        );
        assert!(self.checked >= least, "only {} checked", self.checked);
    }
}

/// A type in CQL. The user type `ut` is the one that the data files were written with.
fn parse_type(text: &str) -> Type {
    let text = text.trim();
    if let Some(native) = NativeType::from_name(text) {
        return native.into();
    }
    if text == "ut" {
        let list = Type::List(Arc::new(NativeType::Int.into()), Frozenness::Yes);
        let fields = vec![
            ("a".into(), NativeType::Int.into()),
            ("b".into(), NativeType::Text.into()),
            ("C d".into(), list),
        ];
        return Type::User(
            Arc::new(UserType { keyspace: "values_ks".into(), name: "ut".into(), fields }),
            Frozenness::No,
        );
    }
    if text.starts_with('\'') {
        return parse_class(text.trim_matches('\'')).expect(text).ty;
    }
    let (name, rest) = text.split_once('<').expect(text);
    let mut parameters = Vec::new();
    let (mut depth, mut start) = (0, 0);
    let inside = rest.strip_suffix('>').expect(text);
    for (at, c) in inside.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                parameters.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parameters.push(&inside[start..]);
    let first = || parse_type(parameters[0]);
    match name {
        "frozen" => first().freeze(),
        "list" => Type::List(Arc::new(first()), Frozenness::No),
        "set" => Type::Set(Arc::new(first()), Frozenness::No),
        "map" => Type::Map(Arc::new((first(), parse_type(parameters[1]))), Frozenness::No),
        "tuple" => Type::Tuple(parameters.iter().map(|text| parse_type(text).freeze()).collect()),
        "vector" => Type::Vector(Arc::new(first()), parameters[1].trim().parse().expect(text)),
        _ => panic!("{text}"),
    }
}

fn constant_kind(code: &str) -> Option<ConstantKind> {
    Some(match code {
        "s" => ConstantKind::String,
        "i" => ConstantKind::Integer,
        "f" => ConstantKind::Float,
        "b" => ConstantKind::Boolean,
        "d" => ConstantKind::Duration,
        "u" => ConstantKind::Uuid,
        "h" => ConstantKind::Hex,
        _ => return None,
    })
}

#[test]
fn class_names() {
    let mut report = Report::default();
    for row in rows(include_str!("../../testdata/classes.txt")) {
        let [text, _, expected] = row[..] else { panic!("{row:?}") };
        let found = match parse_class(text) {
            Ok(parsed) if parsed.reversed => {
                format!("org.apache.cassandra.db.marshal.ReversedType({})", parsed.ty.class_name())
            }
            Ok(parsed) => parsed.ty.class_name(),
            Err(ClassError::Syntax(message)) => format!("syntax: {message}"),
            Err(ClassError::Configuration(message)) => format!("configuration: {message}"),
        };
        report.check(text, &found, expected);
    }
    report.finish(200);
}

#[test]
fn values_both_ways() {
    let mut report = Report::default();
    for row in rows(include_str!("../../testdata/values.txt")) {
        let [ty, kind, text, hex, printed] = row[..] else { panic!("{row:?}") };
        let what = format!("{ty} {text}");
        let ty = parse_type(ty);
        let bytes = hex_to_bytes(hex).expect(hex);
        if let Some(kind) = constant_kind(kind) {
            assert!(test_constant_assignment(kind, text, &ty).is_assignable(), "{what}");
            let found = parse_constant(&ty, kind, text, 0);
            report.check(
                &what,
                &found.map_or_else(|error| error.to_string(), |bytes| bytes_to_hex(&bytes)),
                hex,
            );
        }
        assert_eq!(validate(&ty, &bytes), Ok(()), "{what}");
        let again = decode(&ty, &bytes)
            .and_then(|value| encode(&ty, &value))
            .map(|bytes| bytes_to_hex(&bytes));
        report.check(&what, &again.unwrap_or_else(|error| error.to_string()), hex);
        if printed != "?" {
            let found = literal(&ty, Some(&bytes)).unwrap_or_else(|error| error.to_string());
            report.check(&what, &found, printed);
        }
    }
    report.finish(2500);
}

#[test]
fn sorted_sequences() {
    let mut report = Report::default();
    for row in rows(include_str!("../../testdata/sorted.txt")) {
        let [name, values] = row[..] else { panic!("{row:?}") };
        let ty = parse_type(name);
        let values: Vec<_> =
            values.split(' ').map(|hex| hex_to_bytes(hex.trim_matches('-')).expect(hex)).collect();
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                let what = format!("{name} {} {}", bytes_to_hex(a), bytes_to_hex(b));
                report.check(
                    &what,
                    &format!("{:?}", compare(&ty, a, b)),
                    &format!("{:?}", i.cmp(&j)),
                );
                report.check(
                    &what,
                    &format!("{:?}", compare_reversed(&ty, a, b)),
                    &format!("{:?}", j.cmp(&i)),
                );
            }
        }
    }
    report.finish(20_000);
}

#[test]
fn bytes_judged() {
    let mut report = Report::default();
    for row in rows(include_str!("../../testdata/bytes.txt")) {
        let [name, hex, expected] = row[..] else { panic!("{row:?}") };
        let ty = parse_type(name);
        let bytes = hex_to_bytes(hex.trim_matches('-')).expect(hex);
        let verdict = if ty.is_collection() {
            decode(&ty, &bytes).map(|_| ())
        } else {
            validate(&ty, &bytes)
        };
        let found = verdict.map_or_else(
            |error| format!("{:#x} {error}", error.code().number()),
            |()| "ok".to_owned(),
        );
        report.check(&format!("{name} {hex}"), &found, expected);
    }
    report.finish(1000);
}

#[test]
fn literals_refused() {
    let mut report = Report::default();
    for row in rows(include_str!("../../testdata/rejected.txt")) {
        let [name, kind, text, expected] = row[..] else { panic!("{row:?}") };
        let (ty, kind) = (parse_type(name), constant_kind(kind).expect(kind));
        let found = if let Err(reason) = preferred_type(kind, text) {
            format!("0x2000 {reason}")
        } else if test_constant_assignment(kind, text, &ty).is_assignable() {
            match parse_constant(&ty, kind, text, 0) {
                Ok(bytes) => format!("accepted as {}", bytes_to_hex(&bytes)),
                Err(error) => format!("{:#x} {error}", error.code().number()),
            }
        } else {
            let kind = format!("{kind:?}").to_uppercase();
            format!("0x2200 Invalid {kind} constant ({text}) for \"c\" of type {ty}")
        };
        report.check(&format!("{name} {text}"), &found, expected);
    }
    report.finish(600);
}

#[test]
fn assignments() {
    // An argument of a function is never frozen by itself.
    let rows = rows(include_str!("../../testdata/assignments.txt"));
    let mut report = Report::default();
    for row in &rows {
        let [column, accepted] = row[..] else { panic!("{row:?}") };
        let accepted: Vec<&str> = accepted.split("; ").collect();
        for argument in rows.iter().map(|row| row[0]) {
            let found = parse_type(column)
                .test_assignment(&parse_type(argument).unfreeze())
                .is_assignable();
            let expected = accepted.contains(&argument);
            report.check(
                &format!("{column} for {argument}"),
                &found.to_string(),
                &expected.to_string(),
            );
        }
    }
    report.finish(2000);
}

/// Random bytes, some of which look like lengths.
fn noise(state: &mut u64) -> Vec<u8> {
    let mut next = || {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    };
    let length = next() % 40;
    let mut bytes: Vec<u8> = (0..length).map(|_| u8::try_from(next() % 256).unwrap_or(0)).collect();
    if next() % 2 == 0 {
        for byte in bytes.iter_mut().enumerate().filter(|(i, _)| i % 4 != 3).map(|(_, byte)| byte) {
            *byte = 0;
        }
    }
    bytes
}

#[test]
fn no_bytes_are_too_strange() {
    let mut types: Vec<Type> = rows(include_str!("../../testdata/values.txt"))
        .iter()
        .map(|row| parse_type(row[0]))
        .collect();
    types.extend(
        ["'LexicalUUIDType'", "'DateType'", "'EmptyType'", "'CompositeType(Int32Type)'"]
            .map(parse_type),
    );
    types.dedup();
    let mut state = 2024;
    let (mut valid, mut invalid) = (0, 0);
    for ty in &types {
        for _ in 0..2000 {
            let (a, b) = (noise(&mut state), noise(&mut state));
            assert_eq!(compare(ty, &a, &b), compare_reversed(ty, &b, &a));
            let read = decode(ty, &a);
            let _ = literal(ty, Some(&a));
            match validate(ty, &a) {
                Ok(()) => valid += 1,
                Err(error) => {
                    invalid += 1;
                    assert!(!error.to_string().is_empty());
                    assert!(read.is_err() || ty.is_collection(), "{ty} {}", bytes_to_hex(&a));
                }
            }
        }
    }
    assert!(valid > 10_000 && invalid > 10_000, "{valid} {invalid}");
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| {
        format!("{}Int32Type{}", "ListType(".repeat(depth - 1), ")".repeat(depth - 1))
    };
    assert_eq!(
        parse_class(&nested(MAX_TYPE_DEPTH)).map(|class| class.ty.depth()),
        Ok(MAX_TYPE_DEPTH)
    );
    assert!(parse_class(&nested(MAX_TYPE_DEPTH + 1)).is_err());
    assert!(parse_class(&nested(1_000_000)).is_err());
}
