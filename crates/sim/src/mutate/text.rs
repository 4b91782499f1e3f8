//! Statements changed as trees: the operands follow their markers.

use cql::StatementKind;
use cql::relation::RelationKind;
use cql::statement::select::Select;
use cql::term::TermKind;
use model::plan::Operand;

/// How the name of a marker begins.
const MARKER: &str = ":op";

/// Changes a statement; its operands stay with their markers, and go with those that go. `None` where it cannot be read, or
/// where the change says so.
pub(super) fn edit(
    cql: &mut String,
    operands: &mut Vec<Operand>,
    change: impl FnOnce(&mut StatementKind) -> Option<()>,
) -> Option<()> {
    let mut kind = with_names(cql)?;
    change(&mut kind)?;
    (*cql, *operands) = resolved(&cql::printer::print(&kind), operands)?;
    Some(())
}

/// The tree of a statement whose markers have their numbers as names.
pub(super) fn with_names(cql: &str) -> Option<StatementKind> {
    parsed(&named(cql))
}

/// The name of the marker of that number.
pub(super) fn marker(number: usize) -> String {
    format!("{MARKER}{number}")
}

/// A statement with such names, and its operands: those of the numbers.
pub(super) fn resolved(text: &str, operands: &[Operand]) -> Option<(String, Vec<Operand>)> {
    let (cql, order) = unnamed(text);
    let kept: Option<Vec<_>> = order.into_iter().map(|at| operands.get(at).cloned()).collect();
    Some((cql, kept?))
}

/// The tree of a statement.
pub(super) fn parsed(cql: &str) -> Option<StatementKind> {
    let mut parsed = cql::parse(cql);
    let statement = parsed.statements.pop()?;
    (parsed.statements.is_empty() && parsed.errors.is_empty()).then_some(statement.kind)
}

/// The tree of a SELECT.
pub(super) fn select(cql: &str) -> Option<Box<Select>> {
    match parsed(cql)? {
        StatementKind::Select(select) => Some(select),
        _ => None,
    }
}

/// Whether a relation looks at a column.
pub(super) fn restricts(kind: &RelationKind, name: &str) -> bool {
    match kind {
        RelationKind::Column(column, ..)
        | RelationKind::In { column, .. }
        | RelationKind::IsNotNull(column)
        | RelationKind::Element(column, ..)
        | RelationKind::Between(column, _) => &*column.text == name,
        RelationKind::Tuple(columns, ..)
        | RelationKind::TupleIn(columns, _)
        | RelationKind::Token(columns, ..) => columns.iter().any(|column| &*column.text == name),
        RelationKind::CustomIndex(..) => false,
    }
}

/// Whether a term is a marker.
pub(super) fn is_marker(term: &cql::term::Term) -> bool {
    matches!(term.kind, TermKind::Marker(_))
}

/// Characters of a statement, each with whether it stands outside of quotes.
fn outside(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut within = None;
    text.char_indices().map(move |(at, character)| {
        match within {
            None if matches!(character, '\'' | '"') => within = Some(character),
            Some(quote) if quote == character => within = None,
            _ => {}
        }
        (at, character, within.is_none())
    })
}

/// A statement whose markers have names: their numbers.
fn named(cql: &str) -> String {
    let mut text = String::with_capacity(cql.len());
    let mut count = 0;
    for (_, character, plain) in outside(cql) {
        if plain && character == '?' {
            text.push_str(&marker(count));
            count += 1;
        } else {
            text.push(character);
        }
    }
    text
}

/// The same without names, and the numbers in the order of the text.
fn unnamed(text: &str) -> (String, Vec<usize>) {
    let mut cql = String::with_capacity(text.len());
    let mut order = Vec::new();
    let mut skipped = 0;
    for (at, character, plain) in outside(text) {
        if at < skipped {
            continue;
        }
        let name = text.get(at..).and_then(|rest| rest.strip_prefix(MARKER)).filter(|_| plain);
        let digits: String =
            name.into_iter().flat_map(str::chars).take_while(char::is_ascii_digit).collect();
        match digits.parse() {
            Ok(number) => {
                cql.push('?');
                order.push(number);
                skipped = at + MARKER.len() + digits.len();
            }
            Err(_) => cql.push(character),
        }
    }
    (cql, order)
}

#[cfg(test)]
mod tests {
    use cql::StatementKind;
    use model::id::ParameterId;
    use model::plan::Operand;

    use super::edit;

    #[test]
    fn operands_follow_their_markers() {
        let mut cql = "UPDATE t SET a = ?, b = 'why?' WHERE \"K?\" = ? AND c = ?".to_owned();
        let mut operands: Vec<_> = (0..3).map(ParameterId::new).map(Operand::Parameter).collect();
        edit(&mut cql, &mut operands, |kind| {
            let StatementKind::Update(update) = kind else { return None };
            update.relations.remove(0);
            Some(())
        })
        .unwrap();
        assert_eq!(cql, "UPDATE t SET a = ?, b = 'why?' WHERE c = ?");
        assert_eq!(
            operands,
            [Operand::Parameter(ParameterId::new(0)), Operand::Parameter(ParameterId::new(2))]
        );
    }
}
