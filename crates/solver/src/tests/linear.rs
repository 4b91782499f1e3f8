//! The linear form, compared with the program it states.

use super::super::lp_format::{NamedProgram, ProgramName, ProgramNames};
use super::super::{
    Bound, ConstraintOrigin, IdVec, Infeasible, LinearProgram, Program, VariableId, solve,
};
use super::random::{ProgramSize, any_program, cheapest_cost};

/// So small that all values of all variables can be tried.
const TINY: ProgramSize = ProgramSize { items: 4, demands: 3, ways: 2 };

/// The cheapest values of all variables that violate nothing.
fn cheapest_values(linear: &LinearProgram) -> Option<f64> {
    let count = linear.variables.len();
    (0..1_u32 << count)
        .filter_map(|bits| {
            let values: IdVec<VariableId, bool> =
                (0..count).map(|position| bits >> position & 1 == 1).collect();
            linear.find_violations(&values).is_empty().then(|| linear.cost(&values))
        })
        .min_by(f64::total_cmp)
}

#[test]
fn the_linear_form_has_the_same_cheapest_cost() {
    let (mut solved, mut refused) = (0, 0);
    for seed in 1..250 {
        let mut program = any_program(seed, TINY);
        if seed % 5 == 0 {
            program.items.iter_mut().take(1).for_each(|item| item.cost = f64::INFINITY);
        }
        let bounds = [Bound { limit: 4.0 }, Bound { limit: f64::INFINITY }];
        let bounds = if seed % 2 == 0 { &bounds[..] } else { &[] };
        let linear = LinearProgram::new(&program, bounds);
        let tried = if seed % 5 == 0 {
            // Enumeration of ways takes an infinite cost for a cost.
            cheapest_cost(&program, bounds).filter(|cost| cost.is_finite())
        } else {
            cheapest_cost(&program, bounds)
        };
        match (cheapest_values(&linear), tried) {
            (Some(linear), Some(tried)) => {
                assert!((linear - tried).abs() < 1e-9, "seed {seed}: {linear} and {tried}");
                solved += 1;
            }
            (None, None) => refused += 1,
            both => panic!("seed {seed}: {both:?}"),
        }
    }
    assert!(solved > 50 && refused > 20, "{solved} solved, {refused} refused");
}

#[test]
fn a_solution_satisfies_the_linear_form() {
    let size = ProgramSize { items: 40, demands: 25, ways: 6 };
    let mut solved = 0;
    for seed in 1..100 {
        let program = any_program(seed, size);
        let bounds = [Bound { limit: 30.0 }, Bound { limit: 20.0 }];
        let linear = LinearProgram::new(&program, &bounds);
        match solve(&program, &bounds, 500) {
            Ok(solution) => {
                let values = linear.values(&solution);
                let violated = linear.find_violations(&values);
                assert!(violated.is_empty(), "seed {seed}: {violated:?}");
                assert!((linear.cost(&values) - solution.cost).abs() < 1e-9, "seed {seed}");
                solved += 1;
            }
            Err(Infeasible::Demand(_) | Infeasible::Bound { .. }) => {}
        }
    }
    assert!(solved > 10, "{solved} solved");
}

fn name(symbol: &str, meaning: &str) -> ProgramName {
    ProgramName { symbol: symbol.to_owned(), meaning: meaning.to_owned() }
}

#[test]
fn names_are_legal_short_and_unique() {
    let program = any_program(7, ProgramSize { items: 9, demands: 3, ways: 3 });
    let long = "x".repeat(300);
    let symbols = ["e1", "E", "1st", "", "Straße von Łódź", "free", "a b", "a_b", &long];
    let items = symbols.iter().map(|symbol| name(symbol, "a\nmeaning")).collect();
    let names = ProgramNames { items, ..ProgramNames::default() };
    let text = NamedProgram::new(&program, &[], &names).program_text(&["head".to_owned()]);
    let (_, binary) = text.split_once("Binary\n").expect("a section");
    let listed: Vec<&str> = binary.trim_end_matches("End\n").split_whitespace().collect();
    let mut once = listed.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), listed.len());
    for symbol in &listed {
        assert!(symbol.len() <= 70 && !symbol.starts_with(['e', 'E', '1', '_']), "{symbol}");
        assert!(symbol.chars().all(|one| one.is_ascii_alphanumeric() || one == '_'), "{symbol}");
    }
    assert!(!listed.contains(&"free"), "{listed:?}");
    assert!(text.lines().all(|line| line.len() <= 130), "{text}");
    assert!(text.starts_with("\\ head\n"), "{text}");
}

#[test]
fn the_text_states_every_constraint() {
    use super::super::{Demand, Item, Way};
    let mut program = Program::default();
    let table = program.items.push(Item { cost: 1.5, weights: vec![1.0], ..Item::default() });
    let lookup = program.demands.next_id();
    let column = program.items.push(Item { cost: 1e-9, needs: vec![table], ..Item::default() });
    program.demands.push(Demand {
        always: false,
        ways: [Way { cost: 0.25, items: vec![table], raises: Vec::new() }].into_iter().collect(),
    });
    program.demands.push(Demand {
        always: true,
        ways: [
            Way { cost: 2.0, items: vec![column], raises: Vec::new() },
            Way { cost: 0.0, items: Vec::new(), raises: vec![lookup] },
        ]
        .into_iter()
        .collect(),
    });
    let names = ProgramNames {
        items: [name("t", "a table"), name("c", "")].into_iter().collect(),
        demands: [name("r", ""), name("q", "")].into_iter().collect(),
        ways: [
            [name("y_r", "")].into_iter().collect(),
            [name("y_q", ""), name("y_q", "")].into_iter().collect(),
        ]
        .into_iter()
        .collect(),
        bounds: vec![name("max_tables", "")],
    };
    let bounds = [Bound { limit: 3.0 }];
    let named = NamedProgram::new(&program, &bounds, &names);
    let expected = "\\\n\\ Names:\n\\   t: a table\n\\\nMinimize
 cost: 1.5 t + 1e-9 c + 0.25 y_r + 2 y_q\nSubject To
 one_way_r: y_r - r = 0\n one_way_q: y_q + y_q_2 = 1
 need: c - t <= 0\n need_2: y_r - t <= 0\n need_3: y_q - c <= 0\n raise: y_q_2 - r <= 0
 max_tables: t <= 3\nBinary\n t\n c\n r\n y_r\n y_q\n y_q_2\nEnd\n";
    assert_eq!(named.program_text(&[]), expected);
    let solution = solve(&program, &bounds, 100).expect("a solution");
    let text = named.solution_text(Some(&solution), &["cost 1.75".to_owned()]);
    assert_eq!(text, "# cost 1.75\nt 1\nr 1\ny_r 1\ny_q_2 1\n");
    assert!((solution.cost - 1.75).abs() < 1e-12);
}

#[test]
fn no_coefficient_is_too_large_for_solvers() {
    let mut program = any_program(3, TINY);
    let weights = [1e24, 3e15, 2e15, 1.0];
    for (item, weight) in program.items.iter_mut().zip(weights) {
        item.weights = vec![weight];
    }
    let linear = LinearProgram::new(&program, &[Bound { limit: 4e15 }]);
    let of = |wanted: ConstraintOrigin| {
        linear.constraints.iter().filter(move |one| one.origin == wanted).collect::<Vec<_>>()
    };
    assert_eq!(of(ConstraintOrigin::TooHeavy(0)).len(), 1);
    let [bound] = of(ConstraintOrigin::Bound(0))[..] else { panic!("{:?}", linear.constraints) };
    let unit = linear.bound_units[0];
    assert!(bound.constant <= 1e12 && (bound.constant * unit).to_bits() == 4e15_f64.to_bits());
    let scaled: Vec<f64> = bound.terms.iter().map(|(weight, _)| weight * unit).collect();
    assert_eq!(scaled, weights[1..].to_vec());
}

#[test]
fn a_program_without_demands_is_still_one() {
    let text = NamedProgram::new(&Program::default(), &[], &ProgramNames::default());
    let expected =
        "Minimize\n cost: 0 nothing\nSubject To\n empty: nothing = 0\nBinary\n nothing\nEnd\n";
    assert_eq!(text.program_text(&[]), expected);
}
