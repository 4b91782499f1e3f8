//! Which requests ask for the same rows, though in drafts of different tables.

use std::fmt::Write as _;

use model::id::StepId;
use model::plan::{Loop, Operand, PlannedTable};

use super::request::Request;

/// For each request of a table's draft what tells it from requests for other rows of the same write. The columns that are
/// wanted play no part: one statement can return all.
pub(super) fn of(table: &PlannedTable, requests: &[Request]) -> Vec<String> {
    let mut likes: Vec<String> = Vec::new();
    for request in requests {
        let like = if request.unused { String::new() } else { one(table, request, &likes) };
        likes.push(like);
    }
    likes
}

/// What tells a request from others. `likes` are those of the requests before it, which it may use.
fn one(table: &PlannedTable, request: &Request, likes: &[String]) -> String {
    let mut like = String::new();
    if request.own.is_some() {
        // Only the very table has these rows under these names.
        let columns = table.columns.iter().filter(|column| column.is_key());
        for column in columns {
            let _ = write!(like, "{}={:?},", column.name, column.derivation);
        }
        let _ = write!(like, "{:?}", table.holds.filters);
    }
    for source in &request.sources {
        let _ = write!(like, "{}{:?},", source.entity, source.join);
    }
    for filter in &request.filters {
        let _ = write!(like, "{:?},", filter.test);
    }
    let _ = write!(like, "{:?}{:?}{}", request.not_null, request.element, request.ensures);
    for (column, operand) in &request.known {
        let named = |column: &model::workload::Column| (column.source, column.attribute);
        let enough = request.enough.contains(column);
        let _ = write!(like, ";{:?}{enough}{:?}", named(column), settled(operand, likes));
    }
    for turn in &request.loops {
        let _ = match turn {
            Loop::Rows(step) => write!(like, "|({})", before(*step, likes)),
            Loop::Elements(of) => write!(like, "|{:?}", settled(of, likes)),
            other => write!(like, "|{other:?}"),
        };
    }
    like
}

fn before(step: StepId, likes: &[String]) -> &str {
    likes.get(step.index()).map_or("", String::as_str)
}

/// The operand with what tells the request in place of the request's position.
fn settled(operand: &Operand, likes: &[String]) -> Operand {
    let mut settled = operand.clone();
    settle(&mut settled, likes);
    settled
}

fn settle(operand: &mut Operand, likes: &[String]) {
    if let Operand::Row { step, column } = operand {
        *column = format!("({}).{column}", before(*step, likes));
        *step = StepId::new(0);
    }
    for part in operand.parts_mut() {
        settle(part, likes);
    }
}
