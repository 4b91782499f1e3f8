//! Suggestions for misspelt words, by edit distance.

/// The maximum length of compared words: the work is quadratic.
const LONGEST: usize = 48;

/// The candidate with the smallest edit distance from `word`, if that is small; never `word`
/// itself.
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

/// The question whether the nearest candidate was meant, if there is one.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    find_nearest(word, candidates).map(suggestion)
}

/// The question whether a word was meant.
pub fn suggestion(meant: &str) -> String {
    format!("did you mean {meant}?")
}

/// The suggestion as the end of a sentence; empty if there is none.
pub fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; {}", suggestion(meant)))
}

/// The edit distance with transpositions of neighbours (optimal string alignment, a restricted
/// Damerau-Levenshtein distance); `None` for words that are long or differ much in length.
#[expect(clippy::indexing_slicing, reason = "the matrix has a row and a column more than letters")]
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
