//! Names in a sentence.

/// Names in a row: `a`, `a` and `b`; of more than three the first two and how many more.
pub(super) fn list_names<S: AsRef<str>>(names: &[S]) -> String {
    let quoted = |name: &S| format!("`{}`", name.as_ref());
    match names {
        [] => String::new(),
        [one] => quoted(one),
        [one, two] => format!("{} and {}", quoted(one), quoted(two)),
        [one, two, three] => format!("{}, {} and {}", quoted(one), quoted(two), quoted(three)),
        [one, two, rest @ ..] => {
            format!("{}, {} and {} more", quoted(one), quoted(two), rest.len())
        }
    }
}
