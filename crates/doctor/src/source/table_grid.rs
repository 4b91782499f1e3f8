//! Tables that are printed in columns.

/// The ends of the occurrences of a heading in a line.
pub(super) fn column_ends<'a>(line: &'a str, heading: &'a str) -> impl Iterator<Item = usize> {
    line.match_indices(heading).map(|(at, found)| at + found.len())
}

/// The cells of a row whose columns begin where the headings begin. Cells may contain blanks, and a
/// cell that is wider than its column moves the rest of the row, so columns are cut at blanks.
pub(super) struct TableGrid {
    starts: Vec<usize>,
}

impl TableGrid {
    /// The columns of headings, which must all be in the line, in this order.
    pub(super) fn new(heading: &str, names: &[&str]) -> Option<Self> {
        let mut starts = Vec::with_capacity(names.len());
        let mut from = 0;
        for name in names {
            let at = from + heading.get(from..)?.find(name)?;
            starts.push(at);
            from = at + name.len();
        }
        Some(Self { starts })
    }

    /// The cells of a row; `None` if it is too short or its columns do not begin after blanks.
    pub(super) fn cells<'a>(&self, row: &'a str) -> Option<Vec<&'a str>> {
        let mut cells = Vec::with_capacity(self.starts.len());
        for (at, start) in self.starts.iter().enumerate() {
            let end = self.starts.get(at + 1).copied().unwrap_or(row.len());
            let is_separate = *start == 0 || row.as_bytes().get(start - 1) == Some(&b' ');
            if !is_separate || *start > row.len() {
                return None;
            }
            cells.push(row.get(*start..end.min(row.len()))?.trim());
        }
        Some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::TableGrid;

    #[test]
    fn rows_are_cut_at_the_headings() {
        let grid =
            TableGrid::new("Table   Partition Count", &["Table", "Partition", "Count"]).unwrap();
        assert_eq!(grid.cells("ks.t    a b       12").unwrap(), ["ks.t", "a b", "12"]);
        assert_eq!(grid.cells("longer_than_it x 12"), None);
        assert_eq!(grid.cells("ks.t"), None);
        assert!(TableGrid::new("Table", &["Count"]).is_none());
    }
}
