//! Bodies and their results, as a node gives them, and hostile bodies.

#![expect(clippy::disallowed_methods, reason = "the time of bodies is bounded")]

use cql::types::{NativeType, Type};
use schema::catalog::UserFunction;

use super::{JavaFault, run};
use crate::node::entropy::{Entropy, SeededEntropy};

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
        ("double d = 0.0 / 0.0; return d + 1 > 0 || d < 0 ? 1 : 2;", "2"),
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
fn work_and_memory_are_bounded() {
    let list = "List l = new ArrayList();";
    let doubled = "for (int i = 0; i < 15; i++) l.addAll(l);";
    let text = "String s = \"abcdefgh\"; for (int i = 0; i < 18; i++) s += s;";
    let big = "BigInteger n = BigInteger.TEN; for (int i = 0; i < 60; i++) n = n.multiply(n);";
    let power = "BigDecimal n = new BigDecimal(\"1E900000\");";
    for (body, result) in [
        (format!("{list} l.add(l); return l.toString().length();"), "exhausted"),
        (format!("{list} l.add(l); return l.equals(Arrays.asList(l, 1)) ? 1 : 2;"), "2"),
        (
            format!(
                "{list} l.add(l); List k = new ArrayList(); k.add(k); return l.equals(k) ? 1 : 2;"
            ),
            "exhausted",
        ),
        ("Map m = new HashMap(); m.put(1, m); return (\"\" + m).length();".to_owned(), "exhausted"),
        (
            format!(
                "{list} for (int i = 0; i < 50000; i++) {{ List k = new ArrayList(); k.add(l); l = k; }} return l.size();"
            ),
            "1",
        ),
        (
            format!(
                "{list} for (int i = 0; i < 50000; i++) {{ l = Arrays.asList(l, i); }} return l.size();"
            ),
            "2",
        ),
        (
            format!(
                "{list} for (int i = 0; i < 50000; i++) {{ Map m = new HashMap(); m.put(i, l); List k = new ArrayList(); for (Entry e : m.entrySet()) k.add(e); l = k; }} return l.size();"
            ),
            "exhausted",
        ),
        (
            format!("{list} l.add(1); for (int i = 0; i < 40; i++) l.addAll(l); return 1;"),
            "exhausted",
        ),
        (
            format!(
                "{list} l.add(1); {doubled} for (int i = 0; i < 100000; i++) l.contains(2); return 1;"
            ),
            "exhausted",
        ),
        (
            format!(
                "{list} l.add(1); {doubled} for (int i = 0; i < 100000; i++) for (int x : l) break; return 1;"
            ),
            "exhausted",
        ),
        (format!("{text} for (int i = 0; i < 100000; i++) s.length(); return 1;"), "exhausted"),
        (format!("{text} for (int i = 0; i < 100000; i++) s.trim(); return 1;"), "exhausted"),
        (format!("{big} return 1;"), "exhausted"),
        (format!("{power} return n.add(BigDecimal.ONE).toString().length();"), "exhausted"),
        (format!("return {}1;", "1 + ".repeat(150)), "151"),
        ("a = 1 + 1 + 1; ".repeat(100) + "return a;", "3"),
        (format!("return a; // {}", "x".repeat(70_000)), "unsupported"),
        (
            (0..300).map(|at| format!("int v{at};")).collect::<Vec<_>>().concat() + "return 1;",
            "unsupported",
        ),
    ] {
        let began = std::time::Instant::now();
        assert_eq!(evaluate(false, &body, &[Some(5)]), result, "{body:.300}");
        assert!(began.elapsed().as_secs() < 30, "{:?} {body:.300}", began.elapsed());
    }
}

/// Random bodies: whatever they do, they end. `HELENUS_RANDOM_BODIES` has another number of them.
#[test]
fn random_bodies_end() {
    let count = std::env::var("HELENUS_RANDOM_BODIES").ok().and_then(|count| count.parse().ok());
    let mut random = RandomBody { entropy: SeededEntropy::new(20), names: 0 };
    for number in 0..count.unwrap_or(200) {
        let body = random.body();
        let began = std::time::Instant::now();
        let result = evaluate(number % 2 == 0, &body, &[Some(5), Some(-1)]);
        assert!(began.elapsed().as_secs() < 30, "{:?} {result} {body}", began.elapsed());
    }
}

struct RandomBody {
    entropy: SeededEntropy,
    names: usize,
}

impl RandomBody {
    fn draw(&self, limit: usize) -> usize {
        usize::try_from(self.entropy.next() >> 8).unwrap() % limit
    }

    /// One of several words.
    fn pick<'a>(&self, words: &'a str) -> &'a str {
        let words: Vec<_> = words.split_whitespace().collect();
        words[self.draw(words.len())]
    }

    fn body(&mut self) -> String {
        self.names = 0;
        let mut body = String::from(
            "List l = new ArrayList(); Map m = new HashMap(); String s = \"xyz\"; \
             BigInteger n = BigInteger.TEN; BigDecimal d = new BigDecimal(\"1.5E7\"); \
             StringBuilder t = new StringBuilder(); int i = 0; ",
        );
        for _ in 0..=self.draw(6) {
            body += &self.statement(4);
        }
        let garbage = self.draw(10) == 0;
        if garbage {
            body += self.pick("( } \" (int) ?: /* -> 1.e '");
        }
        body + "return " + &self.expression(3) + ";"
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple();
        }
        match self.draw(8) {
            0 => format!("while ({}) {}", self.expression(2), self.statement(depth - 1)),
            1 => format!(
                "for (int x{0} = 0; x{0} < {1}; x{0}++) {{ {2} {3} }}",
                self.next_name(),
                self.pick("10 1000 2147483647 a"),
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            2 => {
                let source = self.pick("l m.keySet() m.values() m.entrySet()");
                format!(
                    "for (Object y{} : {source}) {{ {} }}",
                    self.next_name(),
                    self.statement(depth - 1)
                )
            }
            3 => format!(
                "if ({}) {} else {}",
                self.expression(2),
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            _ => self.simple(),
        }
    }

    fn next_name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn simple(&mut self) -> String {
        let value = self.expression(3);
        match self.draw(14) {
            0 => "s += s;".to_owned(),
            1 => format!("l.add({value});"),
            2 => "l.addAll(l);".to_owned(),
            3 => format!("m.put({value}, {});", self.expression(2)),
            4 => "n = n.multiply(n);".to_owned(),
            5 => "d = d.multiply(d).add(BigDecimal.ONE);".to_owned(),
            6 => format!("t.append({value});"),
            7 => format!("l = Arrays.asList({value}, l);"),
            8 => format!("List k{} = new ArrayList(l);", self.next_name()),
            9 => format!("i = {value};"),
            10 => "i++;".to_owned(),
            11 => "l = new ArrayList();".to_owned(),
            12 => format!("s = \"\" + {value};"),
            _ => format!("{value};"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        let form = if depth == 0 { 6 } else { self.draw(7) };
        let [one, two, three] = [0; 3].map(|_: i32| match form {
            6 => String::new(),
            _ => self.expression(depth - 1),
        });
        match form {
            0 => format!("({one} {} {two})", self.pick(OPERATORS)),
            1 => format!("({one} ? {two} : {three})"),
            2 => format!("(({}) {one})", self.pick("int long byte String double char")),
            3 => format!("{one}.{}()", self.pick(METHODS)),
            4 => format!("{one}.{}({two})", self.pick(METHODS_OF_ONE)),
            5 => format!("{}({one})", self.pick(FUNCTIONS).replace('+', " ")),
            _ => self.pick(LEAVES).to_owned(),
        }
    }
}

const OPERATORS: &str = "+ - * / % << >>> < == && |";
const METHODS: &str =
    "size length toString trim keySet entrySet values negate intValue abs toUpperCase isEmpty";
const METHODS_OF_ONE: &str = "get contains equals substring charAt split add multiply compareTo \
     indexOf concat append containsKey divide";
const FUNCTIONS: &str = "Math.abs Math.max String.valueOf Integer.parseInt new+BigInteger \
     BigDecimal.valueOf Math.round new+HashSet";
const LEAVES: &str = "a b i l m s n d t 1 -1 2147483647 1L 0.5 'c' \"é😀\" null true \
     Integer.MIN_VALUE udfContext";

#[test]
fn deep_bodies_are_refused() {
    let deep = format!("return {}1{};", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(evaluate(true, &deep, &[]), "unsupported");
    let blocks = "{".repeat(5000);
    assert_eq!(evaluate(true, &blocks, &[]), "unsupported");
}
