//! Sorting of results that can be interrupted.

use std::cmp::Ordering;

use crate::error::Result;

/// The number of rows that are sorted without a check.
const RUN: usize = 4096;

/// Sorts rows, stably, and calls `check` at intervals. Sorted runs are joined in pairs, for which the
/// sort of the standard library takes linear time.
pub(super) fn sort_checked<T>(
    rows: &mut [T],
    compare: impl Fn(&T, &T) -> Ordering,
    check: impl Fn() -> Result<()>,
) -> Result<()> {
    let mut length = RUN;
    loop {
        for run in rows.chunks_mut(length) {
            run.sort_by(&compare);
            check()?;
        }
        if length >= rows.len() {
            return Ok(());
        }
        length *= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{RUN, sort_checked};
    use crate::error::Error;

    #[test]
    fn rows_are_sorted_stably_unless_a_check_fails() {
        let mut rows: Vec<(usize, usize)> = (0..9 * RUN).map(|at| (at * 7919 % 1000, at)).collect();
        let mut expected = rows.clone();
        expected.sort_by_key(|row| row.0);
        let checks = Cell::new(0);
        let count_check = || {
            checks.set(checks.get() + 1);
            Ok(())
        };
        let mut sorted = rows.clone();
        sort_checked(&mut sorted, |a, b| a.0.cmp(&b.0), count_check).unwrap();
        assert_eq!(sorted, expected);
        assert!(checks.get() > 9);
        let left = Cell::new(5);
        let fail_later = || {
            left.set(left.get() - 1);
            if left.get() == 0 { Err(Error::server("interrupted")) } else { Ok(()) }
        };
        assert!(sort_checked(&mut rows, |a, b| a.0.cmp(&b.0), fail_later).is_err());
        assert_eq!(left.get(), 0);
    }
}
