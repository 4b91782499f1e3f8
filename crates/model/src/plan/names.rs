//! Lists of names in a sentence.

/// Quoted names joined with commas and "and"; of more than three the first two and the number of
/// others.
pub fn list_names<S: AsRef<str>>(names: &[S]) -> String {
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
