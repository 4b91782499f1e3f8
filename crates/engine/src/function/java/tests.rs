//! Bodies and their results, as a node gives them.

use cql::types::{NativeType, Type};
use schema::catalog::UserFunction;

use super::{JavaFault, run};

/// The result of a body over ints, as an int.
fn evaluate(called_on_null_input: bool, body: &str, arguments: &[Option<i32>]) -> String {
    let names = ["a", "b", "c"];
    let int = Type::from(NativeType::Int);
    let function = UserFunction {
        keyspace: "k".into(),
        name: "f".into(),
        arguments: names
            .iter()
            .take(arguments.len())
            .map(|name| ((*name).into(), int.clone()))
            .collect(),
        returns: int,
        called_on_null_input,
        language: "java".into(),
        body: body.into(),
    };
    let bytes: Vec<_> = arguments.iter().map(|value| value.map(i32::to_be_bytes)).collect();
    let bytes: Vec<_> = bytes.iter().map(|value| value.as_ref().map(|bytes| &bytes[..])).collect();
    match run(&function, &bytes) {
        Ok(Some(bytes)) => i32::from_be_bytes(bytes.try_into().unwrap()).to_string(),
        Ok(None) => "null".to_owned(),
        Err(JavaFault::Unsupported) => "unsupported".to_owned(),
        Err(JavaFault::Exhausted) => "exhausted".to_owned(),
        Err(JavaFault::Exception(text)) => text,
    }
}

#[test]
fn bodies_are_evaluated() {
    for (body, result) in [
        ("return a + 1;", "6"),
        ("return a << 2 | 1 ^ 3 & 2;", "23"),
        ("int r = 1; while (a > 1) { r *= a; a--; } return r;", "120"),
        ("int x = 2147483647; return x + a;", "-2147483644"),
        ("for (int i = 0; i < 3; i++) { if (i == 1) continue; a += i; } return a;", "7"),
        ("int s = 0; for (;;) { s++; if (s > a) break; } return s;", "6"),
        ("return a > 3 && a < 10 ? 1 : 0;", "1"),
        ("return (int) (a / 2.0 * 3);", "7"),
        ("return \"abc\".length() + Math.max(a, 2);", "8"),
        ("return -a % 3;", "-2"),
        ("return a / 0;", "java.lang.ArithmeticException: / by zero"),
        ("throw new RuntimeException(\"no \" + a);", "java.lang.RuntimeException: no 5"),
        ("while (true) { }", "exhausted"),
        ("String s = \"x\"; while (true) { s += s; }", "exhausted"),
        ("return nonsense;", "unsupported"),
        ("return \"x\";", "unsupported"),
        ("retur a;", "unsupported"),
        ("int[] x = new int[3]; return 1;", "unsupported"),
        ("return System.exit(1);", "unsupported"),
        ("return a", "unsupported"),
        ("", "unsupported"),
    ] {
        assert_eq!(evaluate(false, body, &[Some(5)]), result, "{body}");
    }
}

#[test]
fn null_is_seen() {
    for (body, result) in [
        ("return a == null ? -1 : a;", "-1"),
        ("if (a == null) return null; return a;", "null"),
        (
            "return a + 1;",
            "java.lang.NullPointerException: Cannot invoke \"java.lang.Integer.intValue()\" because \"<parameter1>\" is null",
        ),
        (
            "return Math.max(b, a);",
            "java.lang.NullPointerException: Cannot invoke \"java.lang.Integer.intValue()\" because \"<parameter1>\" is null",
        ),
    ] {
        assert_eq!(evaluate(true, body, &[None, Some(2)]), result, "{body}");
    }
}

#[test]
fn deep_bodies_are_refused() {
    let deep = format!("return {}1{};", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(evaluate(true, &deep, &[]), "unsupported");
    let blocks = "{".repeat(5000);
    assert_eq!(evaluate(true, &blocks, &[]), "unsupported");
}
