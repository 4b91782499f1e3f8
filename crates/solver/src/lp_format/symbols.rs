//! Names that every reader of the format accepts, each once.

use std::collections::{HashMap, HashSet};

use super::super::{ConstraintOrigin, IdVec, LinearProgram, VariableId, VariableOrigin};
use super::{ProgramName, ProgramNames, constraint_word};

/// The longest name, before a number is appended. The format allows 255 characters, CBC 100.
const SYMBOL_MAX: usize = 60;

/// Words of the format itself, in any case.
const KEYWORDS: [&str; 24] = [
    "bin", "binaries", "binary", "bound", "bounds", "cost", "end", "free", "gen", "general",
    "generals", "inf", "infinity", "int", "integer", "integers", "max", "maximize", "min",
    "minimize", "nothing", "st", "subject", "such",
];

/// The names of variables and constraints.
#[derive(Debug)]
pub(super) struct Symbols {
    pub(super) variables: IdVec<VariableId, String>,
    /// For each constraint, in order.
    pub(super) constraints: Vec<String>,
    /// The legend: each name with what it stands for.
    pub(super) meanings: Vec<(String, String)>,
}

impl Symbols {
    pub(super) fn new(linear: &LinearProgram, names: &ProgramNames) -> Self {
        let nameless = ProgramName::default();
        let mut taken = UniqueSymbols::default();
        let mut variables = IdVec::new();
        let mut meanings = Vec::new();
        for variable in &linear.variables {
            let name = match variable.origin {
                VariableOrigin::Item(item) => names.items.member(item),
                VariableOrigin::Demand(demand) => names.demands.member(demand),
                VariableOrigin::Way(demand, way) => {
                    names.ways.member(demand).and_then(|ways| ways.member(way))
                }
            };
            let name = name.unwrap_or(&nameless);
            let symbol = taken.add(&name.symbol, "x");
            meanings.push((symbol.clone(), name.meaning.clone()));
            variables.push(symbol);
        }
        let mut taken = UniqueSymbols::default();
        let constraint = |origin: ConstraintOrigin| {
            let word = constraint_word(origin);
            let name = match origin {
                ConstraintOrigin::OneWay(demand) => names.demands.member(demand),
                ConstraintOrigin::Bound(bound) => names.bounds.get(bound),
                _ => None,
            };
            let name = name.unwrap_or(&nameless);
            match origin {
                ConstraintOrigin::Bound(_) => taken.add(&name.symbol, word),
                _ if name.symbol.is_empty() => taken.add(word, word),
                _ => taken.add(&format!("{word}_{}", name.symbol), word),
            }
        };
        let origins = || linear.constraints.iter().map(|one| one.origin);
        let constraints: Vec<String> = origins().map(constraint).collect();
        for (symbol, origin) in constraints.iter().zip(origins()) {
            let ConstraintOrigin::Bound(bound) = origin else { continue };
            let Some(name) = names.bounds.get(bound) else { continue };
            let unit = linear.bound_units.get(bound).copied().unwrap_or(1.0);
            let scaled = if unit > 1.0 { format!(", in units of {unit}") } else { String::new() };
            meanings.push((symbol.clone(), format!("{}{scaled}", name.meaning)));
        }
        Self { variables, constraints, meanings }
    }
}

/// Names given so far.
#[derive(Default)]
struct UniqueSymbols {
    taken: HashSet<String>,
    /// The last number tried for a name, so that many equal names take no time.
    numbers: HashMap<String, usize>,
}

impl UniqueSymbols {
    /// A legal name like the one wanted that was not given yet.
    fn add(&mut self, wanted: &str, word: &str) -> String {
        let base = to_legal(wanted, word);
        if self.taken.insert(base.to_ascii_lowercase()) {
            return base;
        }
        let number = self.numbers.entry(base.clone()).or_insert(1);
        loop {
            *number += 1;
            let symbol = format!("{base}_{number}");
            if self.taken.insert(symbol.to_ascii_lowercase()) {
                return symbol;
            }
        }
    }
}

/// A name of letters, digits and underscores that begins with a letter, and not with an `e`, which
/// some readers take for the exponent of a number.
fn to_legal(wanted: &str, word: &str) -> String {
    let mut symbol = String::new();
    for one in wanted.chars() {
        let one = if one.is_ascii_alphanumeric() { one } else { '_' };
        // Nothing is gained by several underscores.
        if one != '_' || !symbol.ends_with('_') {
            symbol.push(one);
        }
    }
    let symbol = symbol.trim_matches('_');
    let is_legal = symbol.starts_with(|one: char| one.is_ascii_alphabetic() && !"eE".contains(one))
        && !KEYWORDS.contains(&symbol.to_ascii_lowercase().as_str());
    let symbol = match (symbol.is_empty(), is_legal) {
        (true, _) => word.to_owned(),
        (false, true) => symbol.to_owned(),
        (false, false) => format!("{word}_{symbol}"),
    };
    // Only ASCII is left, so any position is a boundary.
    let end = symbol.len().min(SYMBOL_MAX);
    symbol.get(..end).unwrap_or_default().trim_end_matches('_').to_owned()
}
