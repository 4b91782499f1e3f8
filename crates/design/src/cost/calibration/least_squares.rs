//! Non-negative least squares by the active-set algorithm of Lawson and Hanson.

/// The coefficients, none negative, by which the columns of `rows` come nearest to `wanted`.
pub(super) fn solve(rows: &[Vec<f64>], wanted: &[f64]) -> Vec<f64> {
    let columns = rows.first().map_or(0, Vec::len);
    // Columns of very different sizes are scaled first.
    let sizes: Vec<f64> = (0..columns).map(|at| column_norm(rows, at)).collect();
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| row.iter().zip(&sizes).map(|(value, size)| value / size).collect())
        .collect();
    let mut found = vec![0.0; columns];
    let mut free = vec![false; columns];
    // Each round frees a column, so that there are about as many rounds as columns.
    for _ in 0..3 * columns {
        let slopes = slopes(&scaled, wanted, &found);
        let steepest = (0..columns)
            .filter(|at| !free[*at])
            .max_by(|one, other| slopes[*one].total_cmp(&slopes[*other]));
        match steepest {
            Some(at) if slopes[at] > 1e-12 => free[at] = true,
            _ => break,
        }
        descend(&scaled, wanted, &mut found, &mut free);
    }
    found.iter().zip(&sizes).map(|(value, size)| value / size).collect()
}

/// Moves to the best coefficients of the free columns; those that would become negative are held at
/// 0.
fn descend(rows: &[Vec<f64>], wanted: &[f64], found: &mut [f64], free: &mut [bool]) {
    for _ in 0..free.len() {
        let best = solve_free(rows, wanted, free);
        let part = found.iter().zip(&best).zip(free.iter());
        let blocking = part.filter(|((_, best), free)| **free && **best <= 0.0);
        // The largest step towards the best that keeps all of them from becoming negative.
        let step = blocking
            .map(|((now, best), _)| if now - best > 0.0 { now / (now - best) } else { 0.0 })
            .fold(1.0, f64::min);
        for ((now, best), free) in found.iter_mut().zip(&best).zip(free.iter_mut()) {
            if *free {
                *now += step * (best - *now);
                if *now <= 1e-15 {
                    *now = 0.0;
                    *free = step >= 1.0 && *best > 0.0;
                }
            }
        }
        if step >= 1.0 {
            return;
        }
    }
}

/// The length of a column; 1 for an empty one.
fn column_norm(rows: &[Vec<f64>], at: usize) -> f64 {
    let length = rows.iter().map(|row| row[at] * row[at]).sum::<f64>().sqrt();
    if length > 0.0 { length } else { 1.0 }
}

/// How much nearer a little more of each coefficient would come.
fn slopes(rows: &[Vec<f64>], wanted: &[f64], found: &[f64]) -> Vec<f64> {
    let mut slopes = vec![0.0; found.len()];
    for (row, wanted) in rows.iter().zip(wanted) {
        let off = wanted - row.iter().zip(found).map(|(value, found)| value * found).sum::<f64>();
        for (slope, value) in slopes.iter_mut().zip(row) {
            *slope += value * off;
        }
    }
    slopes
}

/// The best coefficients of the free columns, of any sign, by the normal equations. Householder's
/// method would be more accurate, but the columns are few and scaled.
fn solve_free(rows: &[Vec<f64>], wanted: &[f64], free: &[bool]) -> Vec<f64> {
    let open: Vec<usize> = (0..free.len()).filter(|at| free[*at]).collect();
    let mut system: Vec<Vec<f64>> = open
        .iter()
        .map(|one| {
            let product = |other: &usize| rows.iter().map(|row| row[*one] * row[*other]).sum();
            let mut line: Vec<f64> = open.iter().map(product).collect();
            line.push(rows.iter().zip(wanted).map(|(row, wanted)| row[*one] * wanted).sum());
            line
        })
        .collect();
    let solved = eliminate(&mut system);
    let mut all = vec![0.0; free.len()];
    for (at, value) in open.into_iter().zip(solved) {
        all[at] = value;
    }
    all
}

/// Gaussian elimination with partial pivoting; 0 for what the equations do not determine.
fn eliminate(system: &mut [Vec<f64>]) -> Vec<f64> {
    let size = system.len();
    for at in 0..size {
        let pivot = (at..size)
            .max_by(|one, other| system[*one][at].abs().total_cmp(&system[*other][at].abs()))
            .unwrap_or(at);
        system.swap(at, pivot);
        if system[at][at].abs() < 1e-14 {
            continue;
        }
        let (above, below) = system.split_at_mut(at + 1);
        let Some(pivot) = above.last() else { continue };
        for line in below {
            let factor = line[at] / pivot[at];
            for (value, times) in line.iter_mut().zip(pivot) {
                *value -= factor * times;
            }
        }
    }
    let mut solved = vec![0.0; size];
    for at in (0..size).rev() {
        let rest: f64 = (at + 1..size).map(|other| system[at][other] * solved[other]).sum();
        if system[at][at].abs() >= 1e-14 {
            solved[at] = (system[at][size] - rest) / system[at][at];
        }
    }
    solved
}

#[cfg(test)]
mod tests {
    use super::solve;

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() < 1e-9, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn exact_systems() {
        // x + y = 3, x + 2y = 5, 3x + y = 5
        let rows = [vec![1.0, 1.0], vec![1.0, 2.0], vec![3.0, 1.0]];
        assert_close(&solve(&rows, &[3.0, 5.0, 5.0]), &[1.0, 2.0]);
    }

    #[test]
    fn a_line_through_points() {
        // The line through (0, 1), (1, 3), (2, 4), (3, 4) by least squares is 1.5 + x.
        let rows: Vec<_> = (0..4).map(|x| vec![1.0, f64::from(x)]).collect();
        assert_close(&solve(&rows, &[1.0, 3.0, 4.0, 4.0]), &[1.5, 1.0]);
    }

    #[test]
    fn what_would_be_negative_is_none() {
        // Falling points: without the bound the slope is -1; with it the best is their mean.
        let rows: Vec<_> = (0..3).map(|x| vec![1.0, f64::from(x)]).collect();
        assert_close(&solve(&rows, &[3.0, 2.0, 1.0]), &[2.0, 0.0]);
        assert_close(&solve(&rows, &[-1.0, -1.0, -1.0]), &[0.0, 0.0]);
    }

    #[test]
    fn sizes_do_not_matter() {
        let rows = [vec![1e9, 1e-9], vec![1e9, 2e-9], vec![3e9, 1e-9]];
        let found = solve(&rows, &[3.0, 5.0, 5.0]);
        assert_close(&[found[0] * 1e9, found[1] * 1e-9], &[1.0, 2.0]);
    }

    #[test]
    fn nothing() {
        assert!(solve(&[], &[]).is_empty());
        assert_close(&solve(&[vec![0.0]], &[1.0]), &[0.0]);
    }
}
