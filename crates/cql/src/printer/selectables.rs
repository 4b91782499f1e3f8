//! Selected expressions.

use super::{Print, Printer};
use crate::name::Name;
use crate::selectable::{CellInfo, Selectable, SelectableKind};
use crate::term::{Constant, ConstantKind, Term, TermKind};

impl Print for Selectable {
    fn print(&self, printer: &mut Printer) {
        match &self.kind {
            SelectableKind::Column(name) => column(printer, name),
            SelectableKind::Term(term) => term.print(printer),
            SelectableKind::CountRows => printer.text("COUNT(*)"),
            SelectableKind::CellInfo(info, inner) => {
                printer.text(match info {
                    CellInfo::WriteTime => "WRITETIME(",
                    CellInfo::MaxWriteTime => "MAXWRITETIME(",
                    CellInfo::Ttl => "TTL(",
                });
                printer.node(&**inner);
                printer.text(")");
            }
            SelectableKind::Cast(inner, native) => printer.cast(&**inner, *native),
            SelectableKind::Call(function, arguments) => {
                printer.function(function);
                printer.enclose_list("(", arguments, ")");
            }
            SelectableKind::TypeHint(hint) => printer.type_hint(&hint.0, &hint.1),
            SelectableKind::Tuple(items) => printer.enclose_list("(", items, ")"),
            SelectableKind::List(items) => printer.enclose_list("[", items, "]"),
            SelectableKind::Set(items) => printer.braces(|printer| printer.list(items)),
            SelectableKind::Map(entries) => printer.map(entries),
            SelectableKind::Negate(inner) => printer.negation(|printer| printer.node(&**inner)),
            SelectableKind::Arithmetic(operator, operands) => {
                printer.operation(*operator, &operands.0, &operands.1);
            }
            SelectableKind::Field(..) | SelectableKind::Element(..) | SelectableKind::Slice(..) => {
                part(printer, &self.kind);
            }
        }
    }
}

/// A column. Words that could be parsed as a modifier or an alias are quoted.
fn column(printer: &mut Printer, name: &Name) {
    printer.name_quoted_if(name, |name| matches!(name, "json" | "distinct" | "as" | "per"));
}

/// `whole.field`, `whole[element]`, `whole[from..to]`
fn part(printer: &mut Printer, kind: &SelectableKind) {
    match kind {
        SelectableKind::Field(whole, field) => {
            printer.node(&**whole);
            // `1.f` would be a number.
            printer.text_if(is_number(whole), " ");
            printer.text(".");
            printer.node(field);
        }
        SelectableKind::Element(whole, key) => {
            printer.node(&**whole);
            printer.text("[");
            printer.node(&**key);
            printer.text("]");
        }
        SelectableKind::Slice(whole, from, to) => {
            printer.node(&**whole);
            printer.text("[");
            for (bound, behind) in [(from, ".."), (to, "]")] {
                if let Some(bound) = bound {
                    printer.node(&**bound);
                }
                printer.text(behind);
            }
        }
        _ => {}
    }
}

fn is_number(selectable: &Selectable) -> bool {
    let SelectableKind::Term(Term { kind: TermKind::Constant(Constant { kind, .. }), .. }) =
        &selectable.kind
    else {
        return false;
    };
    matches!(kind, ConstantKind::Integer | ConstantKind::Float)
}
