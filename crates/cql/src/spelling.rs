//! Which word was meant.

/// Longer words are not compared: the work grows with the square.
const LONGEST: usize = 48;

/// The candidate that differs from `word` by a slip or two; never `word` itself.
pub fn find_nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let slips = |candidate: &'a str| Some((distance(word, candidate)?, candidate));
    candidates
        .into_iter()
        .filter_map(slips)
        .filter(|&(distance, candidate)| distance > 0 && distance <= 1 + candidate.len() / 4)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The question whether the nearest candidate was meant, if one is near.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    find_nearest(word, candidates).map(suggestion)
}

/// The question whether this was meant.
pub fn suggestion(meant: &str) -> String {
    format!("did you mean {meant}?")
}

/// The same as the end of a sentence; empty if nothing is near.
pub fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; {}", suggestion(meant)))
}

/// The edit distance, a swap of neighbours counting once; nothing for words that are far apart in length, or long.
fn distance(left: &str, right: &str) -> Option<usize> {
    if left.len() > LONGEST || left.len().abs_diff(right.len()) > 3 {
        return None;
    }
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            if i == 0 || j == 0 {
                rows[i][j] = i + j;
                continue;
            }
            let cost = usize::from(left[i - 1] != right[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    Some(rows[left.len()][right.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood() {
        let words = ["users", "users_by_email", "videos"];
        assert_eq!(find_nearest("user", words), Some("users"));
        assert_eq!(find_nearest("uesrs", words), Some("users"));
        assert_eq!(find_nearest("users_by_emial", words), Some("users_by_email"));
        assert_eq!(find_nearest("payments", words), None);
        assert_eq!(find_nearest("users", ["users"]), None);
    }
}
