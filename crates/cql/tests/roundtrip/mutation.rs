//! Statements made from pieces of others: those that still parse must print, parse and format like
//! any other.

use cql::{ParseOptions, StatementKind, parse_with, printer};

const PIECES: &str = concat!(
    include_str!("corpus.cql"),
    include_str!("commented.cql"),
    include_str!("templates.cql")
);
const ROUNDS: usize = 6_000;

struct Random(u64);

impl Random {
    fn next_below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("below the limit")
    }
}

/// Words, signs, strings and comments, each with the following blanks.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |rest: &str| {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        };
        let length = match first {
            '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '$' if rest.starts_with("$$") => rest[2..].find("$$").map_or(rest.len(), |end| end + 4),
            c if c.is_alphanumeric() => word(rest),
            c => c.len_utf8(),
        };
        let blanks = rest[length..].len() - rest[length..].trim_start().len();
        let (piece, behind) = rest.split_at(length + blanks);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn mutate(statements: &[&str], random: &mut Random) -> String {
    let mut tokens = pieces(statements[random.next_below(statements.len())]);
    for _ in 0..=random.next_below(3) {
        let other = pieces(statements[random.next_below(statements.len())]);
        if tokens.is_empty() || other.is_empty() {
            break;
        }
        let place = random.next_below(tokens.len());
        match random.next_below(4) {
            0 => drop(tokens.remove(place)),
            1 => tokens.insert(place, other[random.next_below(other.len())]),
            2 => tokens[place] = other[random.next_below(other.len())],
            _ => {
                let with = random.next_below(tokens.len());
                tokens.swap(place, with);
            }
        }
    }
    tokens.concat()
}

/// Whether the text was parsed, and thus checked.
fn check_round_trip(source: &str, options: ParseOptions) -> bool {
    let options = &options;
    let parsed = parse_with(source, options);
    if !parsed.errors.is_empty() {
        return false;
    }
    for statement in &parsed.statements {
        let printed = printer::statement_with(statement, options);
        let again = parse_with(&printed, options);
        // A marker hidden by a later USING counts as a marker but is not in the tree.
        let markers =
            again.statements.iter().map(|statement| statement.markers.len()).sum::<usize>();
        if matches!(statement.kind, StatementKind::Shell(_)) || markers != statement.markers.len() {
            continue;
        }
        assert_eq!(again.errors, [], "{source}\n{printed}");
        assert_eq!(
            again.statements.as_slice(),
            std::slice::from_ref(statement),
            "{source}\n{printed}"
        );
    }
    let once = cql::format_with(source, options).expect("read without errors");
    let twice = cql::format_with(&once, options).expect("what is formatted is read");
    assert_eq!(once, twice, "{source}");
    let comments = parse_with(&once, options).comments.len();
    assert_eq!(comments, parsed.comments.len(), "{source}\n{once}");
    true
}

#[test]
fn mutated_statements_hold() {
    let statements: Vec<&str> = PIECES.split_inclusive(";\n").collect();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut read = 0;
    for _ in 0..ROUNDS {
        let source = mutate(&statements, &mut random);
        read += usize::from(check_round_trip(&source, ParseOptions::default()));
        check_round_trip(&source, ParseOptions { templates: true });
    }
    assert!(read > ROUNDS / 20, "only {read} of {ROUNDS} were read");
}
