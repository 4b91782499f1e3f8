//! The integer program of a search with its solution, as text that other solvers read.
//!
//! The program is the one that the search solved, whole and unreduced, so that its optimum can be
//! found again by a solver that shares no code with ours (docs/OPTIMALITY.md).

use solver::lp_format::{self, NamedProgram, ProgramNames};
use solver::{Bound, Infeasible, Program, Solution};

/// The integer program of a search, and its outcome.
#[derive(Debug)]
pub struct DesignProgram {
    named: NamedProgram,
    outcome: Result<Solution, Infeasible>,
    /// The name of the cost profile.
    profile: String,
    /// The names of the queries that it decides.
    queries: Vec<String>,
    /// What is known once the design is complete.
    design: Option<DesignTotals>,
}

/// The cost of the complete design.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DesignTotals {
    /// The cost of the design that the solution gives.
    pub(crate) total: f64,
    /// The cost of the design that the mapping rules give, where that is the cheaper one and was
    /// chosen instead.
    pub(crate) rules: Option<f64>,
}

impl DesignProgram {
    /// A program with its bounds and its names, and what the solver made of it.
    pub(crate) fn new(
        (program, bounds): (&Program, &[Bound]),
        names: &ProgramNames,
        outcome: Result<Solution, Infeasible>,
        profile: &str,
        queries: Vec<String>,
    ) -> Self {
        let named = NamedProgram::new(program, bounds, names);
        Self { named, outcome, profile: profile.to_owned(), queries, design: None }
    }

    /// States the cost of the complete design.
    pub(crate) fn set_totals(&mut self, totals: DesignTotals) {
        self.design = Some(totals);
    }

    /// The claimed cost of the program's cheapest solution; `None` when there is no solution.
    pub fn cost(&self) -> Option<f64> {
        self.outcome.as_ref().ok().map(|solution| solution.cost)
    }

    /// The claimed lower bound on the cost of any solution; `None` when there is no solution.
    pub fn bound(&self) -> Option<f64> {
        self.outcome.as_ref().ok().map(|solution| solution.bound)
    }

    /// It is claimed to be proved that the program has no solution.
    pub fn is_infeasible(&self) -> bool {
        match self.outcome {
            Ok(_) => false,
            Err(Infeasible::Demand(_)) => true,
            Err(Infeasible::Bound { certain, .. }) => certain,
        }
    }

    /// The number of variables and of constraints.
    pub fn size(&self) -> (usize, usize) {
        let linear = self.named.linear();
        (linear.variables.len(), linear.constraints.len())
    }

    /// The program in the CPLEX LP format.
    pub fn program_text(&self) -> String {
        let mut head = vec![
            "The integer program of a search for the cheapest Cassandra tables, written by \
             helenus design --program."
                .to_owned(),
            "A variable is 1 if what it stands for is part of the design. Tables (t), columns \
             beside the key (c), indexes (i),"
                .to_owned(),
            "additional statements of writes (w) and reads before writes (s) are paid for once; \
             each query and each read that"
                .to_owned(),
            "is needed (r) takes one way (y).".to_owned(),
            String::new(),
        ];
        head.extend(self.claims());
        let queries = self.queries.join(", ");
        head.push(format!("Queries decided by this program: {queries}"));
        self.named.program_text(&head)
    }

    /// The solution: the claims as comments, and a line of `name 1` for each variable that is 1;
    /// all others are 0. Only comments when there is no solution.
    pub fn solution_text(&self) -> String {
        let mut head = self.claims();
        if self.outcome.is_ok() {
            head.push("Variables that are 1; all others are 0.".to_owned());
        }
        self.named.solution_text(self.outcome.as_ref().ok(), &head)
    }

    /// What is claimed of the program.
    fn claims(&self) -> Vec<String> {
        let number = lp_format::format_number;
        let mut claims = vec![format!("Price profile: {}", self.profile)];
        match &self.outcome {
            Ok(solution) => {
                claims.push(format!("Objective value = {}", number(solution.cost)));
                claims.push(format!("Lower bound = {}", number(solution.bound)));
                claims.extend(self.design.iter().flat_map(|totals| totals.claims(solution.cost)));
            }
            Err(_) if self.is_infeasible() => {
                claims.push("Infeasible: no solution satisfies all constraints".to_owned());
            }
            Err(_) => {
                claims.push("No solution was found, and none was proved impossible".to_owned());
            }
        }
        claims
    }
}

impl DesignTotals {
    fn claims(self, searched: f64) -> Vec<String> {
        let number = lp_format::format_number;
        let mut claims = vec![
            format!(
                "Outside the program = {} (queries that the search does not vary, and the \
                 difference between pricing tables one by one and together)",
                number(self.total - searched)
            ),
            format!("Cost of the whole design = {}", number(self.total)),
        ];
        claims.extend(self.rules.map(|rules| {
            format!(
                "The mapping rules give a cheaper whole design, which was chosen instead: {}",
                number(rules)
            )
        }));
        claims
    }
}
