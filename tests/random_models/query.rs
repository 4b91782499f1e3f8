//! Random queries.

use std::fmt::Write;

use super::schema::{ForeignKey, SqlColumn, SqlTable, constant, value};
use crate::rng::Rng;

/// A column of one of the sources.
struct SourceColumn {
    name: String,
    ty: &'static str,
}

/// A query behind its name: `:many`, its rate and its SELECT.
pub(super) fn query(rng: &mut Rng, tables: &[SqlTable]) -> String {
    let (from, columns) = sources(rng, tables);
    let from = format!("{from}{}", conditions(rng, &columns));
    let rate = *rng.pick(&["1", "100", "5k", "0.01"]);
    let scalars: Vec<_> = columns.iter().filter(|column| column.ty != "text[]").collect();
    let text = match rng.number_below(10) {
        0 => format!("SELECT EXISTS(SELECT 1 {from})"),
        1 | 2 => aggregates(rng, &scalars, &from),
        _ => {
            let outputs = outputs(rng, &columns);
            let order = order(rng, &scalars);
            let limit = *rng.pick(&["", " LIMIT 20", " LIMIT ?"]);
            format!("SELECT {outputs} {from}{order}{limit}")
        }
    };
    format!(":many\n-- @rate {rate}/s\n{text}")
}

/// The names of the columns by which a query orders or groups. A design assumes that they are never
/// null, which a write must not contradict.
pub(super) fn list_sorted_columns(query: &str) -> Vec<String> {
    let clauses = [" GROUP BY ", " ORDER BY "];
    let start = clauses.iter().filter_map(|clause| query.find(clause)).min();
    let sorted = start.map_or("", |start| &query[start..]);
    let names = sorted.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '.'));
    names.filter_map(|name| Some(name.split_once('.')?.1.to_owned())).collect()
}

/// FROM with up to two joins, along references in either direction.
fn sources(rng: &mut Rng, tables: &[SqlTable]) -> (String, Vec<SourceColumn>) {
    let mut sources = vec![rng.number_below(tables.len())];
    let mut text = format!("FROM {} s0", tables[sources[0]].name);
    for _ in 0..rng.number_below(3) {
        let with = rng.number_below(sources.len());
        let new = sources.len();
        let up = tables[sources[with]].references.iter();
        let up = up.map(|reference| (reference.target, with, new, reference));
        let down = tables.iter().enumerate().flat_map(|(at, table)| {
            let to_it = |reference: &&ForeignKey| reference.target == sources[with];
            table.references.iter().filter(to_it).map(move |reference| (at, new, with, reference))
        });
        let ways: Vec<_> = up.chain(down).collect();
        if ways.is_empty() {
            continue;
        }
        let &(joined, holder, target, reference) = rng.pick(&ways);
        sources.push(joined);
        let (own, other) = (&tables[sources[holder]], &tables[sources[target]]);
        let pairs: Vec<_> = reference
            .own
            .iter()
            .zip(&reference.theirs)
            .map(|(&mine, &theirs)| {
                let (mine, theirs) = (&own.columns[mine].name, &other.columns[theirs].name);
                format!("s{holder}.{mine} = s{target}.{theirs}")
            })
            .collect();
        let _ = write!(text, " JOIN {} s{new} ON {}", tables[joined].name, pairs.join(" AND "));
    }
    let named = |(at, &table): (usize, &usize)| {
        let of = move |column: &SqlColumn| SourceColumn {
            name: format!("s{at}.{}", column.name),
            ty: column.ty,
        };
        tables[table].columns.iter().map(of).collect::<Vec<_>>()
    };
    let columns = sources.iter().enumerate().flat_map(named).collect();
    (text, columns)
}

/// WHERE with up to three conditions, each on another column.
fn conditions(rng: &mut Rng, columns: &[SourceColumn]) -> String {
    let mut used = Vec::new();
    let mut found = Vec::new();
    for _ in 0..rng.number_below(4) {
        let column = rng.pick(columns);
        if used.contains(&&column.name) {
            continue;
        }
        used.push(&column.name);
        found.push(condition(rng, column));
    }
    if found.is_empty() { String::new() } else { format!(" WHERE {}", found.join(" AND ")) }
}

fn condition(rng: &mut Rng, SourceColumn { name, ty }: &SourceColumn) -> String {
    if *ty == "text[]" {
        return format!("? = ANY({name})");
    }
    let value = value(rng, ty);
    match rng.number_below(12) {
        0..=5 => format!("{name} = {value}"),
        6 => format!("{name} {} {value}", *rng.pick(&["<", "<=", ">", ">="])),
        7 => format!("{name} BETWEEN {value} AND ?"),
        8 => format!("{name} IN (?, ?, {value})"),
        9 => format!("{name} = ANY(?)"),
        10 if *ty == "text" => format!("{name} LIKE ? || '%'"),
        _ => format!("{name} IS NOT NULL"),
    }
}

fn aggregates(rng: &mut Rng, columns: &[&SourceColumn], from: &str) -> String {
    let is_number = |ty| matches!(ty, "int" | "bigint" | "double precision" | "numeric");
    let numbers: Vec<_> = columns.iter().filter(|column| is_number(column.ty)).collect();
    let aggregate = if numbers.is_empty() || rng.roll(40) {
        "COUNT(*)".to_owned()
    } else {
        let function = *rng.pick(&["SUM", "AVG", "MIN", "MAX", "COUNT"]);
        format!("{function}({})", rng.pick(&numbers).name)
    };
    if rng.roll(50) {
        return format!("SELECT {aggregate} AS a, COUNT(*) AS n {from}");
    }
    let group = &rng.pick(columns).name;
    format!("SELECT {group}, {aggregate} AS a {from} GROUP BY {group}")
}

fn outputs(rng: &mut Rng, columns: &[SourceColumn]) -> String {
    if rng.roll(20) {
        return "*".to_owned();
    }
    let mut found = Vec::new();
    for at in 0..=rng.number_below(5) {
        let name = &rng.pick(columns).name;
        found.push(if rng.roll(30) { format!("{name} AS o{at}") } else { name.clone() });
    }
    found.join(", ")
}

fn order(rng: &mut Rng, columns: &[&SourceColumn]) -> String {
    let mut found: Vec<String> = Vec::new();
    for _ in 0..rng.number_below(3) {
        let column = rng.pick(columns);
        let constant = constant(column.ty);
        let name = &column.name;
        let by = if constant != "?" && rng.roll(15) {
            format!("COALESCE({name}, {constant})")
        } else {
            name.clone()
        };
        found.push(format!("{by}{}", *rng.pick(&["", " DESC"])));
    }
    if found.is_empty() { String::new() } else { format!(" ORDER BY {}", found.join(", ")) }
}
