//! Prices as a text: a line `name = value` for each, `#` before comments.

use cql::spelling::find_nearest;

use super::{HELENUS, Prices};

/// The name of prices that were read from a text.
const PROFILE_NAME: &str = "measured";

/// A price with its name and what it is for.
type PriceEntry<'a> = (&'static str, &'static str, &'a mut f64);

impl Prices {
    /// Reads prices. Those that the text does not contain are as in the profile `helenus`.
    ///
    /// # Errors
    ///
    /// A message for each line that cannot be read, with its number.
    pub fn read(text: &str) -> Result<Self, Vec<String>> {
        let mut prices = Self { name: PROFILE_NAME, ..HELENUS };
        let mut wrong = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let name = line.split('=').next().unwrap_or_default().trim();
            let outcome = if seen.contains(&name) {
                Err(format!("`{name}` is given twice"))
            } else {
                prices.read_line(line)
            };
            seen.push(name);
            wrong.extend(outcome.err().map(|what| format!("line {}: {what}", at + 1)));
        }
        if wrong.is_empty() { Ok(prices) } else { Err(wrong) }
    }

    /// The prices as a text that [`Prices::read`] reads.
    pub fn write(&self) -> String {
        let mut text = format!("# prices `{}`, in {}\n", self.name, self.unit);
        let mut copy = self.clone();
        for (name, about, value) in copy.entries() {
            text.extend([name, " = ", &format!("{value:e}"), "  # ", about, "\n"]);
        }
        text
    }

    /// Reads one line.
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let Some((name, value)) = line.split_once('=') else {
            return Err(format!("`{line}` is not of the form name = value"));
        };
        let (name, value) = (name.trim(), value.trim());
        let share = name == "range_share";
        let mut entries = self.entries();
        let names: Vec<&'static str> = entries.iter().map(|(name, ..)| *name).collect();
        let Some((_, _, place)) = entries.iter_mut().find(|(known, ..)| *known == name) else {
            let meant = find_nearest(name, names);
            let help = meant.map(|meant| format!("; write `{meant}`")).unwrap_or_default();
            return Err(format!("unknown price `{name}`{help}"));
        };
        match value.parse::<f64>() {
            Ok(number) if share && !(number > 0.0 && number <= 1.0) => {
                Err(format!("`{name}` must be above 0 and at most 1, not {value}"))
            }
            Ok(number) if number.is_finite() && number >= 0.0 => {
                **place = number;
                Ok(())
            }
            _ => Err(format!("`{name}` must be a non-negative number, not `{value}`")),
        }
    }

    /// All prices, by name.
    pub(crate) fn entries(&mut self) -> [PriceEntry<'_>; 21] {
        [
            ("request", "a statement that reads", &mut self.request),
            ("round", "a round trip that the client waits for", &mut self.round),
            ("partition", "a partition read", &mut self.partition),
            (
                "scattered",
                "a partition beyond the number that one read should access",
                &mut self.scattered,
            ),
            ("hot", "an access to a partition that is accessed too often", &mut self.hot),
            ("node", "a node queried by an index read", &mut self.node),
            ("row", "a row read", &mut self.row),
            ("cell", "a cell read", &mut self.cell),
            ("byte", "a byte read", &mut self.byte),
            ("tombstone", "a tombstone scanned", &mut self.tombstone),
            ("sort", "a sort by the client", &mut self.sort),
            ("sorted_row", "a row sorted by the client", &mut self.sorted_row),
            ("written", "a row written", &mut self.written),
            ("written_byte", "a byte written", &mut self.written_byte),
            ("deleted", "a row, cell or range deleted", &mut self.deleted),
            ("logged", "a partition in a logged batch", &mut self.logged),
            ("conditional", "a conditional statement", &mut self.conditional),
            ("counted", "a counter update", &mut self.counted),
            ("stored_byte", "a byte stored, for a second", &mut self.stored_byte),
            ("table", "a table", &mut self.table),
            ("range_share", "the share of rows that a range leaves", &mut self.range_share),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HELENUS, NOSE, Prices};

    #[test]
    fn what_is_written_is_read() {
        let read = Prices::read(&NOSE.write()).expect("prices");
        assert_eq!(Prices { name: NOSE.name, unit: NOSE.unit, ..read }, NOSE);
    }

    #[test]
    fn what_is_not_named_stays() {
        let read = Prices::read("# only one\n\n row = 0.5 # dear\n").expect("prices");
        assert_eq!(read, Prices { name: "measured", row: 0.5, ..HELENUS });
    }

    #[test]
    fn mistakes_have_lines() {
        let text = "requst = 1\nrow 5\nrow = -1\nbyte = x\ncell = 1\ncell = 2\nrange_share = 2\n\nhot = inf";
        let wrong = Prices::read(text).expect_err("mistakes");
        assert_eq!(
            wrong,
            [
                "line 1: unknown price `requst`; write `request`",
                "line 2: `row 5` is not of the form name = value",
                "line 3: `row` must be a non-negative number, not `-1`",
                "line 4: `byte` must be a non-negative number, not `x`",
                "line 6: `cell` is given twice",
                "line 7: `range_share` must be above 0 and at most 1, not 2",
                "line 9: `hot` must be a non-negative number, not `inf`",
            ]
        );
    }
}
