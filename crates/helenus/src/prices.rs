//! Files of prices: lines `name = number`, as `--calibrate` writes them.

use std::fmt::Write;

use design::cost::Prices;

/// A price by its name.
type Entry = (&'static str, fn(&mut Prices) -> &mut f64);

/// All prices.
const ENTRIES: [Entry; 21] = [
    ("request", |prices| &mut prices.request),
    ("round", |prices| &mut prices.round),
    ("partition", |prices| &mut prices.partition),
    ("scattered", |prices| &mut prices.scattered),
    ("hot", |prices| &mut prices.hot),
    ("node", |prices| &mut prices.node),
    ("row", |prices| &mut prices.row),
    ("cell", |prices| &mut prices.cell),
    ("byte", |prices| &mut prices.byte),
    ("tombstone", |prices| &mut prices.tombstone),
    ("sort", |prices| &mut prices.sort),
    ("sorted_row", |prices| &mut prices.sorted_row),
    ("written", |prices| &mut prices.written),
    ("written_byte", |prices| &mut prices.written_byte),
    ("deleted", |prices| &mut prices.deleted),
    ("logged", |prices| &mut prices.logged),
    ("conditional", |prices| &mut prices.conditional),
    ("counted", |prices| &mut prices.counted),
    ("stored_byte", |prices| &mut prices.stored_byte),
    ("table", |prices| &mut prices.table),
    ("range_share", |prices| &mut prices.range_share),
];

/// The prices of a file; those that it does not name are as in `base`. The error names the line.
pub(crate) fn read(text: &str, base: &Prices) -> Result<Prices, String> {
    let mut prices = Prices { name: "given", ..base.clone() };
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |why: String| format!("line {}: {why}", number + 1);
        let (name, value) = line
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .ok_or_else(|| wrong("write it as `row = 0.001`".to_owned()))?;
        let Some((_, price)) = ENTRIES.iter().find(|(known, _)| *known == name) else {
            let hint = cql::spelling::nearest(name, ENTRIES.iter().map(|(known, _)| *known));
            let hint = hint.map_or_else(String::new, |known| format!("; did you mean {known}?"));
            return Err(wrong(format!("there is no price of {name}{hint}")));
        };
        let value: Option<f64> = value.parse().ok();
        let value = value.filter(|value| value.is_finite() && *value >= 0.0);
        *price(&mut prices) =
            value.ok_or_else(|| wrong(format!("the price of {name} is a number from 0 on")))?;
    }
    Ok(prices)
}

/// A file of prices.
pub(crate) fn write(prices: &Prices) -> String {
    let mut prices = prices.clone();
    let mut text = format!("# What things cost, in {} (see docs/COST.md).\n", prices.unit);
    for (name, price) in ENTRIES {
        let _ = writeln!(text, "{name} = {}", price(&mut prices));
    }
    text
}

#[cfg(test)]
mod tests {
    use design::cost::{HELENUS, NOSE};

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for prices in [HELENUS, NOSE] {
            let read = read(&write(&prices), &HELENUS).expect("it was written so");
            assert_eq!(read, Prices { name: "given", unit: HELENUS.unit, ..prices });
        }
    }

    #[test]
    fn a_file_may_change_a_few() {
        let read = read("# mine\n\nrow = 0.5  # dear\n", &HELENUS).expect("it is right");
        assert_eq!(read, Prices { name: "given", row: 0.5, ..HELENUS });
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let said = |text: &str| read(text, &HELENUS).expect_err("it is wrong");
        assert_eq!(said("\nrows = 1"), "line 2: there is no price of rows; did you mean row?");
        assert_eq!(said("row"), "line 1: write it as `row = 0.001`");
        for wrong in ["row = x", "row = -1", "row = inf", "row = NaN", "row ="] {
            assert_eq!(said(wrong), "line 1: the price of row is a number from 0 on", "{wrong}");
        }
    }
}
