//! Prices from measurements: what to run ([`probes`]), and which prices explain the times best
//! ([`solve`]).
//!
//! Nothing is run here: the caller runs the probes on an engine or a cluster and passes the
//! seconds.

mod least_squares;
mod probes;

pub use probes::{BindValue, Fill, Probe, probes};

use model::plan::Effort;

use crate::prices::Prices;

/// Prices that were solved for.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The prices.
    pub prices: Prices,
    /// Names of those that no measurement determines: they are unchanged.
    pub kept: Vec<&'static str>,
    /// The root mean square of the relative errors.
    pub error: f64,
}

/// Milliseconds of a second.
const MILLIS: f64 = 1_000.0;

/// The prices, in milliseconds, that explain the measurements best: efforts, and the seconds that
/// each took. None is negative. Each measurement has the same weight, however long it took. Prices
/// that no measurement determines stay as in `before`.
pub fn solve(measured: &[(Effort, f64)], before: &Prices) -> Calibration {
    let measured: Vec<_> = measured.iter().filter(|(_, seconds)| *seconds > 0.0).collect();
    let known = before.unit_prices();
    let is_measured =
        |thing: usize| measured.iter().any(|(effort, _)| effort.counts().get(thing) > Some(&0.0));
    let things: Vec<usize> = (0..known.len()).filter(|thing| is_measured(*thing)).collect();
    // Divided by the measured time, so that errors are relative.
    let rows: Vec<Vec<f64>> = measured
        .iter()
        .map(|(effort, seconds)| {
            let counted = effort.counts();
            things.iter().map(|thing| counted[*thing] / (seconds * MILLIS)).collect()
        })
        .collect();
    let wanted = vec![1.0; rows.len()];
    let found = least_squares::solve(&rows, &wanted);
    let mut prices = Prices { name: "measured", unit: "ms/s", ..before.clone() };
    let mut kept = Vec::new();
    for (at, (name, _, place)) in prices.entries().into_iter().take(known.len()).enumerate() {
        match things.iter().position(|thing| *thing == at) {
            Some(position) => *place = found.get(position).copied().unwrap_or(0.0),
            None => kept.push(name),
        }
    }
    let squares = measured.iter().map(|(effort, seconds)| {
        let off = prices.price(effort) / (seconds * MILLIS) - 1.0;
        off * off
    });
    #[expect(clippy::cast_precision_loss, reason = "there are few measurements")]
    let error = (squares.sum::<f64>() / measured.len().max(1) as f64).sqrt();
    Calibration { prices, kept, error }
}

#[cfg(test)]
mod tests {
    use cql::StatementKind;

    use super::{probes, solve};
    use crate::prices::{HELENUS, Prices};

    /// The prices of a server that nobody has.
    fn sample_prices() -> Prices {
        Prices { request: 0.02, row: 0.003, cell: 0.000_7, written: 0.09, logged: 0.01, ..HELENUS }
    }

    #[test]
    fn probes_tell_all_measured_prices_apart() {
        let truth = sample_prices();
        let measured: Vec<_> = probes()
            .into_iter()
            .map(|probe| (probe.effort, truth.price(&probe.effort) / 1_000.0))
            .collect();
        let found = solve(&measured, &HELENUS);
        assert!(found.error < 1e-9, "{found:?}");
        assert_eq!(found.kept, ["round", "scattered", "hot", "sort", "sorted_row"]);
        let pairs = truth.unit_prices().into_iter().zip(found.prices.unit_prices());
        for (at, (wanted, got)) in pairs.enumerate() {
            let same = (wanted - got).abs() <= 1e-6 * wanted.max(1e-6);
            assert!(same || [1, 3, 4].contains(&at), "{at}: {wanted} {got}");
        }
    }

    #[test]
    fn noise_makes_no_price_negative() {
        let truth = sample_prices();
        let mut noise = 1_u64;
        let measured: Vec<_> = probes()
            .into_iter()
            .map(|probe| {
                noise = noise
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let off = 0.8
                    + f64::from(u32::try_from(noise >> 40).unwrap_or(0)) / f64::from(1_u32 << 24)
                        * 0.4;
                (probe.effort, off * truth.price(&probe.effort) / 1_000.0)
            })
            .collect();
        let found = solve(&measured, &HELENUS);
        assert!(found.error > 0.0 && found.error < 0.2, "{}", found.error);
        assert!(found.prices.unit_prices().iter().all(|price| *price >= 0.0), "{found:?}");
    }

    #[test]
    fn nothing_measured_changes_nothing() {
        let found = solve(&[], &HELENUS);
        assert_eq!(found.prices, Prices { name: "measured", ..HELENUS });
        assert_eq!(found.kept.len(), 18);
    }

    #[test]
    fn probes_are_cql() {
        for probe in probes() {
            let texts = probe.tables.iter().chain(probe.fills.iter().map(|fill| &fill.statement));
            for text in texts.chain([&probe.statement]) {
                let parsed = cql::parse(text);
                assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
                let [statement] = &parsed.statements[..] else { panic!("{text}") };
                assert!(!matches!(statement.kind, StatementKind::Invalid), "{text}");
            }
            let markers = cql::parse(&probe.statement).statements[0].markers.len();
            assert_eq!(markers, probe.binds.len(), "{}", probe.name);
            for fill in &probe.fills {
                let markers = cql::parse(&fill.statement).statements[0].markers.len();
                assert_eq!(markers, fill.binds.len(), "{}", fill.statement);
            }
        }
    }
}
