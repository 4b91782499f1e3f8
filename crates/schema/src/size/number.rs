//! Numbers in Cassandra's variable-length form.

/// Seven bits of a number take a byte.
const SEVEN_BITS: f64 = 128.0;

/// The bytes of a number: seven bits a byte, and all eight in the ninth.
pub(super) fn vint(number: f64) -> f64 {
    mean_vint(number, number)
}

/// The average bytes of numbers that are spread evenly from one to another.
pub(super) fn mean_vint(least: f64, most: f64) -> f64 {
    let (mut bytes, mut limit) = (1.0, SEVEN_BITS);
    for _ in 0..8 {
        bytes += share_above(limit, least, most);
        limit *= SEVEN_BITS;
    }
    bytes
}

/// The share of such numbers that are not below a limit.
fn share_above(limit: f64, least: f64, most: f64) -> f64 {
    if limit <= least {
        1.0
    } else if limit > most {
        0.0
    } else {
        (most - limit) / (most - least)
    }
}

/// The bytes of a value preceded by its length.
pub(super) fn with_length(bytes: f64) -> f64 {
    vint(bytes) + bytes
}

/// A count or length as `f64`; values above 32 bits do not occur here.
pub(super) fn small(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{mean_vint, vint};

    #[test]
    fn lengths_of_numbers() {
        // The examples of the format's specification, and the limits of every length.
        let two = |power: i32| 2_f64.powi(power);
        let numbers = [
            (0.0, 1.0),
            (127.0, 1.0),
            (128.0, 2.0),
            (300.0, 2.0),
            (16_383.0, 2.0),
            (16_384.0, 3.0),
            (two(21) - 1.0, 3.0),
            (two(21), 4.0),
            (two(28), 5.0),
            (two(35), 6.0),
            (two(42), 7.0),
            (two(49) - 1.0, 7.0),
            (two(49), 8.0),
            (two(53), 8.0),
            (two(56), 9.0),
            (two(63), 9.0),
        ];
        for (number, length) in numbers {
            assert!((vint(number) - length).abs() < 0.5, "{number} has {} bytes", vint(number));
        }
    }

    #[test]
    fn the_average_is_that_of_the_numbers() {
        for (least, most) in [(0, 100), (0, 1_000), (0, 40_000), (100, 200), (16_000, 17_000)] {
            let count = f64::from(most - least);
            let sum: f64 = (least..most).map(|number| vint(f64::from(number))).sum();
            let mean = mean_vint(f64::from(least), f64::from(most));
            assert!(
                (mean - sum / count).abs() < 1e-9,
                "{least} to {most}: {mean}, {}",
                sum / count
            );
        }
    }
}
