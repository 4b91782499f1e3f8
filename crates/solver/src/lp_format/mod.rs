//! Programs as text in the CPLEX LP format, and their solutions as lines of `name value`.
//!
//! The format has dialects. What is written here is the part that the readers of CPLEX, Gurobi,
//! `HiGHS`, SCIP, GLPK and CBC have in common: names of letters, digits and underscores, comments on
//! lines of their own, no constant in the objective, no range of a constraint, one section
//! `Binary`. Numbers are written with as many digits as it takes to read the same number again.

mod symbols;

use std::fmt::Write;

use super::{
    Bound, Constraint, ConstraintOrigin, DemandId, IdVec, ItemId, LinearProgram, Program, Relation,
    Solution, VariableId, WayId,
};
use symbols::Symbols;

/// The longest line of the program. The format allows 560 characters, some readers fewer.
const LINE_MAX: usize = 120;

/// What the parts of a program stand for.
#[derive(Clone, Debug, Default)]
pub struct ProgramNames {
    /// For each item.
    pub items: IdVec<ItemId, ProgramName>,
    /// For each demand.
    pub demands: IdVec<DemandId, ProgramName>,
    /// For each way of each demand.
    pub ways: IdVec<DemandId, IdVec<WayId, ProgramName>>,
    /// For each bound.
    pub bounds: Vec<ProgramName>,
}

/// What a part of a program stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramName {
    /// A short name. What the format does not allow in a name is replaced, and a number is appended
    /// where two are equal.
    pub symbol: String,
    /// The meaning, for the legend.
    pub meaning: String,
}

/// A program in linear form with the names of its variables and constraints.
#[derive(Debug)]
pub struct NamedProgram {
    linear: LinearProgram,
    symbols: Symbols,
}

impl NamedProgram {
    /// The program with its bounds.
    pub fn new(program: &Program, bounds: &[Bound], names: &ProgramNames) -> Self {
        let linear = LinearProgram::new(program, bounds);
        let symbols = Symbols::new(&linear, names);
        Self { linear, symbols }
    }

    /// The linear form.
    pub fn linear(&self) -> &LinearProgram {
        &self.linear
    }

    /// The program as text. `head`: comments at its beginning.
    pub fn program_text(&self, head: &[String]) -> String {
        let mut text = String::new();
        for line in head {
            write_comment(&mut text, line);
        }
        self.write_legend(&mut text);
        text.push_str("Minimize\n");
        let terms = self.objective();
        self.write_sum(&mut text, "cost", &terms);
        text.push_str("Subject To\n");
        for (position, constraint) in self.linear.constraints.iter().enumerate() {
            self.write_constraint(&mut text, position, constraint);
        }
        // Some readers want at least one constraint and one variable.
        if self.linear.constraints.is_empty() {
            text.push_str(" empty: nothing = 0\n");
        }
        text.push_str("Binary\n");
        for symbol in &self.symbols.variables {
            let _ = writeln!(text, " {symbol}");
        }
        if self.linear.constraints.is_empty() {
            text.push_str(" nothing\n");
        }
        text.push_str("End\n");
        text
    }

    /// A solution as text: the variables that are 1, a line of `name 1` for each; none without a
    /// solution. `head`: comments at its beginning.
    pub fn solution_text(&self, solution: Option<&Solution>, head: &[String]) -> String {
        let mut text = String::new();
        for line in head {
            let _ = writeln!(text, "# {}", one_line(line));
        }
        let Some(solution) = solution else { return text };
        let values = self.linear.values(solution);
        for (symbol, _) in self.symbols.variables.iter().zip(&values).filter(|(_, value)| **value) {
            let _ = writeln!(text, "{symbol} 1");
        }
        text
    }

    /// What each variable stands for.
    fn write_legend(&self, text: &mut String) {
        if self.symbols.meanings.iter().all(|(_, meaning)| meaning.is_empty()) {
            return;
        }
        write_comment(text, "");
        write_comment(text, "Names:");
        for (symbol, meaning) in &self.symbols.meanings {
            if !meaning.is_empty() {
                write_comment(text, &format!("  {symbol}: {meaning}"));
            }
        }
        write_comment(text, "");
    }

    /// The terms of the cost. A variable that occurs nowhere else is among them, too: readers know
    /// only variables that occur.
    fn objective(&self) -> Vec<(f64, VariableId)> {
        let variables = &self.linear.variables;
        let mut occurs = IdVec::<VariableId, bool>::from_elem(false, variables.len());
        for (_, variable) in self.linear.constraints.iter().flat_map(|one| &one.terms) {
            occurs[*variable] = true;
        }
        let costs = variables.enumerate_ids().map(|(id, variable)| (variable.cost, id));
        costs.filter(|(cost, id)| *cost > 0.0 || !occurs[*id]).collect()
    }

    fn write_constraint(&self, text: &mut String, position: usize, constraint: &Constraint) {
        let name = self.symbols.constraints.get(position).map_or("", String::as_str);
        self.write_sum(text, name, &constraint.terms);
        text.truncate(text.trim_end().len());
        let relation = match constraint.relation {
            Relation::AtMost => "<=",
            Relation::Equal => "=",
            Relation::AtLeast => ">=",
        };
        let _ = writeln!(text, " {relation} {}", format_number(constraint.constant));
    }

    /// A name and a sum, in lines that are not too long.
    fn write_sum(&self, text: &mut String, name: &str, terms: &[(f64, VariableId)]) {
        let mut line = format!(" {name}:");
        // A sum without terms: no reader accepts it.
        if terms.is_empty() {
            let first = self.symbols.variables.iter().next();
            let _ = write!(line, " 0 {}", first.map_or("nothing", String::as_str));
        }
        for (position, (factor, variable)) in terms.iter().enumerate() {
            let sign = if *factor < 0.0 { "-" } else { "+" };
            let sign = if position == 0 && sign == "+" { "" } else { sign };
            let size = factor.abs();
            let symbol = &self.symbols.variables[*variable];
            let mut term = String::new();
            for part in [sign, &format_factor(size), symbol] {
                if !part.is_empty() {
                    let _ = write!(term, " {part}");
                }
            }
            if line.len() + term.len() > LINE_MAX {
                text.push_str(&line);
                text.push('\n');
                "  ".clone_into(&mut line);
            }
            line.push_str(&term);
        }
        text.push_str(&line);
        text.push('\n');
    }
}

/// The factor of a variable; 1 is not written.
fn format_factor(factor: f64) -> String {
    if factor.to_bits() == 1.0_f64.to_bits() { String::new() } else { format_number(factor) }
}

/// A number, so that reading it gives the same number.
pub fn format_number(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if (1e-5..1e15).contains(&size) { format!("{number}") } else { format!("{number:e}") }
}

/// A comment, broken into lines that are not too long.
fn write_comment(text: &mut String, comment: &str) {
    let comment = one_line(comment);
    let indent = comment.len() - comment.trim_start().len();
    let mut line = format!("\\{}", " ".repeat(indent));
    for word in comment.split_whitespace() {
        if line.len() + word.len() > LINE_MAX && line.trim_end().len() > 1 {
            text.push_str(line.trim_end());
            text.push('\n');
            line = format!("\\{}", " ".repeat(indent + 4));
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

/// A text without line breaks and other control characters.
fn one_line(text: &str) -> String {
    text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect()
}

/// The constraints of one kind have a common word in their names.
fn constraint_word(origin: ConstraintOrigin) -> &'static str {
    match origin {
        ConstraintOrigin::OneWay(_) => "one_way",
        ConstraintOrigin::Raise => "raise",
        ConstraintOrigin::Need => "need",
        ConstraintOrigin::Unavailable => "unavailable",
        ConstraintOrigin::Always(_) => "always",
        ConstraintOrigin::Bound(_) => "bound",
        ConstraintOrigin::TooHeavy(_) => "too_heavy",
    }
}
