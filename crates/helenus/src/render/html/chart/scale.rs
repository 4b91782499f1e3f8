//! Scales: where a figure lies between the ends of an axis, and which figures are written beside it.

/// The most figures beside an axis.
const TICKS_MAX: f64 = 5.0;

/// A scale from 0, or by powers of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// From 0 to the highest figure.
    Linear { most: f64 },
    /// From a power of ten to another, by their exponents.
    Logarithmic { least: f64, most: f64 },
}

impl Scale {
    /// From 0 to at least the highest of these figures.
    pub(super) fn linear(figures: impl Iterator<Item = f64>) -> Self {
        let most = figures.fold(0.0, f64::max);
        if most <= 0.0 {
            return Self::Linear { most: 1.0 };
        }
        let step = step(most);
        Self::Linear { most: (most / step - 1e-9).ceil() * step }
    }

    /// The powers of ten around these figures; smaller ones than 1 count as 1.
    pub(super) fn logarithmic(figures: impl Iterator<Item = f64> + Clone) -> Self {
        let exponent = |figure: f64| figure.max(1.0).log10();
        let least = figures.clone().map(exponent).fold(f64::INFINITY, f64::min);
        let least = if least.is_finite() { least.floor() } else { 0.0 };
        let most = figures.map(exponent).fold(least + 1.0, f64::max).ceil();
        Self::Logarithmic { least, most }
    }

    /// Where a figure lies: 0 at the lower end, 1 at the upper one.
    pub(super) fn position(self, figure: f64) -> f64 {
        match self {
            Self::Linear { most } => (figure / most).clamp(0.0, 1.0),
            Self::Logarithmic { least, most } => {
                ((figure.max(1.0).log10() - least) / (most - least)).clamp(0.0, 1.0)
            }
        }
    }

    /// The figures beside the axis.
    pub(super) fn ticks(self) -> Vec<f64> {
        let (first, last, step) = match self {
            Self::Linear { most } => (0.0, most, step(most)),
            Self::Logarithmic { least, most } => {
                (least, most, ((most - least) / TICKS_MAX).ceil().max(1.0))
            }
        };
        let mut ticks = Vec::new();
        let mut at = first;
        while at <= last + step * 1e-9 {
            ticks.push(if let Self::Linear { .. } = self { at } else { 10f64.powf(at) });
            at += step;
        }
        ticks
    }
}

/// A round step: 1, 2 or 5 times a power of ten.
fn step(most: f64) -> f64 {
    let rough = most / TICKS_MAX;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999_999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn linear_scales_are_round() {
        let scale = Scale::linear([23.0, 7.0].into_iter());
        assert_eq!(scale, Scale::Linear { most: 25.0 });
        assert_eq!(scale.ticks(), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0]);
        assert!((scale.position(12.5) - 0.5).abs() < 1e-9);
        assert!(Scale::linear([0.0].into_iter()).position(0.0).abs() < 1e-9);
    }

    #[test]
    fn logarithmic_scales_have_powers_of_ten() {
        let scale = Scale::logarithmic([128.0, 2.8e6].into_iter());
        assert_eq!(scale, Scale::Logarithmic { least: 2.0, most: 7.0 });
        assert_eq!(scale.ticks(), [1e2, 1e3, 1e4, 1e5, 1e6, 1e7]);
        assert!((scale.position(1e3) - 0.2).abs() < 1e-9);
        // A single figure has a scale as well, and so has none.
        assert_eq!(Scale::logarithmic([100.0].into_iter()).ticks(), [1e2, 1e3]);
        assert_eq!(Scale::logarithmic([0.0].into_iter()).ticks(), [1.0, 10.0]);
        assert_eq!(Scale::logarithmic(std::iter::empty()).ticks(), [1.0, 10.0]);
    }
}
