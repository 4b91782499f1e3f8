//! A program in linear form: variables that are 0 or 1, linear constraints, a linear cost.
//!
//! It states the whole program as given, before any reduction, and nothing that follows from it
//! otherwise:
//!
//! - a variable for each item and way (1: selected), and for each demand that is not always raised
//!   (1: raised);
//! - a demand that is raised takes exactly one of its ways, and otherwise none;
//! - what is selected raises its demands and selects the items that it needs;
//! - the weights of the selected items stay within the bounds; an item that exceeds one alone cannot
//!   be selected.
//!
//! A solution of the program is the least set that these constraints allow for its ways, and no
//! cost is negative, so both have the same cheapest cost.

use super::graph::with_slack;
use super::{Bound, DemandId, IdVec, ItemId, Program, Solution, VariableId, WayId};

/// A program in linear form.
#[derive(Clone, Debug, Default)]
pub struct LinearProgram {
    /// The variables, each 0 or 1: items first, then for each demand whether it is raised and its
    /// ways.
    pub variables: IdVec<VariableId, Variable>,
    /// The constraints: of demands, of what variables lead to, of bounds.
    pub constraints: Vec<Constraint>,
    /// For each bound the weight that its constraint counts as 1: a power of two, and more than 1
    /// only where weights are too large for solvers.
    pub bound_units: Vec<f64>,
}

/// Solvers compute with absolute tolerances, and refuse coefficients from 1e15 on.
const COEFFICIENT_MAX: f64 = 1e12;

/// A variable that is 0 or 1.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// What it stands for.
    pub origin: VariableOrigin,
    /// What it adds to the cost if it is 1.
    pub cost: f64,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableOrigin {
    /// An item is selected.
    Item(ItemId),
    /// A demand is raised.
    Demand(DemandId),
    /// A way of a demand is taken.
    Way(DemandId, WayId),
}

/// A linear constraint: the sum of its terms, compared with a constant.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Where it comes from.
    pub origin: ConstraintOrigin,
    /// The coefficients of variables, none of them twice.
    pub terms: Vec<(f64, VariableId)>,
    /// How the sum compares with the constant.
    pub relation: Relation,
    /// The constant.
    pub constant: f64,
}

/// Where a constraint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintOrigin {
    /// A raised demand takes one of its ways.
    OneWay(DemandId),
    /// What is selected raises a demand.
    Raise,
    /// What is selected needs an item.
    Need,
    /// The variable cannot be 1: it has no finite cost, or refers to something missing.
    Unavailable,
    /// A demand that is always raised, and has no ways.
    Always(DemandId),
    /// A bound, by its position.
    Bound(usize),
    /// The item alone exceeds the bound at a position.
    TooHeavy(usize),
}

/// How a sum compares with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The sum is at most the constant.
    AtMost,
    /// The sum is equal to the constant.
    Equal,
    /// The sum is at least the constant.
    AtLeast,
}

impl LinearProgram {
    /// The linear form of a program with its bounds.
    pub fn new(program: &Program, bounds: &[Bound]) -> Self {
        let mut linear = Self::default();
        let places = Places::new(program, &mut linear);
        for (id, demand) in program.demands.enumerate_ids() {
            linear.state_demand(&places, id, demand.always);
        }
        for (id, item) in program.items.enumerate_ids() {
            let variable = places.items[id];
            linear.state_selection(&places, variable, item.cost, (&item.needs, &item.raises));
        }
        for (id, demand) in program.demands.enumerate_ids() {
            for (way, &variable) in demand.ways.iter().zip(&places.ways[id]) {
                linear.state_selection(&places, variable, way.cost, (&way.items, &way.raises));
            }
        }
        for (position, bound) in bounds.iter().enumerate() {
            let unit = find_unit(bound.limit);
            linear.bound_units.push(unit);
            if bound.limit.is_finite() {
                linear.state_bound(program, position, bound.limit, unit);
            }
        }
        linear
    }

    /// The values of all variables in a solution: `true` for 1.
    pub fn values(&self, solution: &Solution) -> IdVec<VariableId, bool> {
        let taken = |demand: DemandId| solution.ways.member(demand).copied().flatten();
        let value = |variable: &Variable| match variable.origin {
            VariableOrigin::Item(item) => solution.items.member(item).copied().unwrap_or(false),
            VariableOrigin::Demand(demand) => taken(demand).is_some(),
            VariableOrigin::Way(demand, way) => taken(demand) == Some(way),
        };
        self.variables.iter().map(value).collect()
    }

    /// The cost of these values.
    pub fn cost(&self, values: &IdVec<VariableId, bool>) -> f64 {
        let selected = self.variables.iter().zip(values).filter(|(_, value)| **value);
        selected.map(|(variable, _)| variable.cost).sum()
    }

    /// The constraints that these values violate by more than the share of rounding errors.
    pub fn find_violations(&self, values: &IdVec<VariableId, bool>) -> Vec<&Constraint> {
        let is_violated = |constraint: &&Constraint| {
            let terms = constraint.terms.iter();
            let sum: f64 = terms.filter(|(_, of)| values[*of]).map(|(factor, _)| factor).sum();
            let slack = 1e-9 + constraint.constant.abs() * 1e-9;
            match constraint.relation {
                Relation::AtMost => sum > constraint.constant + slack,
                Relation::AtLeast => sum < constraint.constant - slack,
                Relation::Equal => (sum - constraint.constant).abs() > slack,
            }
        };
        self.constraints.iter().filter(is_violated).collect()
    }

    fn add_variable(&mut self, origin: VariableOrigin, cost: f64) -> VariableId {
        // What has no finite cost is unavailable, which a constraint states.
        let cost = if cost.is_finite() { cost.max(0.0) } else { 0.0 };
        self.variables.push(Variable { origin, cost })
    }

    /// The demand takes one way if it is raised.
    fn state_demand(&mut self, places: &Places, demand: DemandId, always: bool) {
        let mut terms: Vec<(f64, VariableId)> =
            places.ways[demand].iter().map(|&way| (1.0, way)).collect();
        let origin = ConstraintOrigin::OneWay(demand);
        let relation = Relation::Equal;
        match places.demands[demand] {
            None => {
                self.constraints.push(Constraint { origin, terms, relation, constant: 1.0 });
            }
            Some(raised) => {
                terms.push((-1.0, raised));
                self.constraints.push(Constraint { origin, terms, relation, constant: 0.0 });
                if always {
                    let origin = ConstraintOrigin::Always(demand);
                    let terms = vec![(1.0, raised)];
                    self.constraints.push(Constraint { origin, terms, relation, constant: 1.0 });
                }
            }
        }
    }

    /// What a variable leads to if it is 1.
    fn state_selection(
        &mut self,
        places: &Places,
        variable: VariableId,
        cost: f64,
        (needs, raises): (&[ItemId], &[DemandId]),
    ) {
        let mut is_available = cost.is_finite();
        let mut needs = needs.to_vec();
        needs.sort_unstable();
        needs.dedup();
        for item in needs {
            match places.items.member(item) {
                Some(&needed) if needed != variable => {
                    let terms = vec![(1.0, variable), (-1.0, needed)];
                    let (origin, relation) = (ConstraintOrigin::Need, Relation::AtMost);
                    self.constraints.push(Constraint { origin, terms, relation, constant: 0.0 });
                }
                Some(_) => {}
                None => is_available = false,
            }
        }
        let mut raises = raises.to_vec();
        raises.sort_unstable();
        raises.dedup();
        for demand in raises {
            match places.demands.member(demand) {
                Some(Some(raised)) => {
                    let terms = vec![(1.0, variable), (-1.0, *raised)];
                    let (origin, relation) = (ConstraintOrigin::Raise, Relation::AtMost);
                    self.constraints.push(Constraint { origin, terms, relation, constant: 0.0 });
                }
                Some(None) => {}
                None => is_available = false,
            }
        }
        if !is_available {
            let (origin, relation) = (ConstraintOrigin::Unavailable, Relation::Equal);
            let terms = vec![(1.0, variable)];
            self.constraints.push(Constraint { origin, terms, relation, constant: 0.0 });
        }
    }

    /// The weights of the selected items stay within a limit. Items that alone exceed it get a
    /// constraint each, so that no coefficient is larger than the limit.
    fn state_bound(&mut self, program: &Program, position: usize, limit: f64, unit: f64) {
        let weights = program.items.iter().map(|item| item.weights.get(position).copied());
        let weighed = self.variables.ids().zip(weights);
        let (heavy, terms): (Vec<_>, Vec<_>) = weighed
            .filter_map(|(variable, weight)| Some((weight?, variable)))
            .filter(|(weight, _)| *weight > 0.0)
            .partition(|(weight, _)| *weight > with_slack(limit));
        for (_, variable) in heavy {
            let (origin, relation) = (ConstraintOrigin::TooHeavy(position), Relation::Equal);
            let terms = vec![(1.0, variable)];
            self.constraints.push(Constraint { origin, terms, relation, constant: 0.0 });
        }
        if terms.is_empty() && limit >= 0.0 {
            return;
        }
        let terms = terms.into_iter().map(|(weight, variable)| (weight / unit, variable)).collect();
        let (origin, relation) = (ConstraintOrigin::Bound(position), Relation::AtMost);
        self.constraints.push(Constraint { origin, terms, relation, constant: limit / unit });
    }
}

/// The power of two by which a limit is divided so that it is not too large. Dividing by it changes
/// no digit.
fn find_unit(limit: f64) -> f64 {
    let mut unit = 1.0;
    while limit.is_finite() && limit / unit > COEFFICIENT_MAX {
        unit *= 2.0;
    }
    unit
}

/// The variables of items, demands and ways.
struct Places {
    items: IdVec<ItemId, VariableId>,
    /// `None` for a demand that is always raised and has ways.
    demands: IdVec<DemandId, Option<VariableId>>,
    ways: IdVec<DemandId, IdVec<WayId, VariableId>>,
}

impl Places {
    /// Adds the variables of a program.
    fn new(program: &Program, linear: &mut LinearProgram) -> Self {
        let items = program.items.enumerate_ids();
        let items =
            items.map(|(id, item)| linear.add_variable(VariableOrigin::Item(id), item.cost));
        let items = items.collect();
        let (mut demands, mut ways) = (IdVec::new(), IdVec::new());
        for (id, demand) in program.demands.enumerate_ids() {
            let raised = (!demand.always || demand.ways.is_empty())
                .then(|| linear.add_variable(VariableOrigin::Demand(id), 0.0));
            demands.push(raised);
            let add = |(way, one): (WayId, &super::Way)| {
                linear.add_variable(VariableOrigin::Way(id, way), one.cost)
            };
            ways.push(demand.ways.enumerate_ids().map(add).collect());
        }
        Self { items, demands, ways }
    }
}
