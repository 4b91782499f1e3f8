//! The singular of an English noun, as far as names of tables and arrays need it.

/// Plurals that follow no rule, or a rarer one than their ending suggests.
const IRREGULAR: [(&str, &str); 22] = [
    ("people", "person"),
    ("children", "child"),
    ("men", "man"),
    ("women", "woman"),
    ("indices", "index"),
    ("vertices", "vertex"),
    ("matrices", "matrix"),
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("zombies", "zombie"),
    ("caches", "cache"),
    ("shoes", "shoe"),
    ("houses", "house"),
    ("causes", "cause"),
    ("clauses", "clause"),
    ("pauses", "pause"),
    ("warehouses", "warehouse"),
    ("series", "series"),
    ("species", "species"),
    ("news", "news"),
    ("aliases", "alias"),
    ("gases", "gas"),
];

/// Endings of plurals and what they become; the first that fits is taken.
const ENDINGS: [(&str, &str); 13] = [
    ("ies", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("zzes", "zz"),
    ("oes", "o"),
    ("uses", "us"),
    ("lyses", "lysis"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
];

/// The singular of a name such as `video_categories` or `areas_of_expertise`; the name itself where
/// it is not a plural.
pub fn to_singular(name: &str) -> String {
    if let Some((head, rest)) = name.split_once("_of_") {
        return format!("{}_of_{rest}", word_to_singular(head));
    }
    match name.rsplit_once('_') {
        Some((start, word)) if !start.is_empty() => format!("{start}_{}", word_to_singular(word)),
        _ => word_to_singular(name),
    }
}

fn word_to_singular(word: &str) -> String {
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    let ending = ENDINGS.iter().find_map(|(many, one)| {
        // A short word such as `ties` or `is` is none of these.
        let stem = word.strip_suffix(many)?;
        (stem.len() >= 2 || *many == "s" && !stem.is_empty()).then(|| format!("{stem}{one}"))
    });
    ending.unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::to_singular;

    #[test]
    fn nouns() {
        for (many, one) in [
            ("tags", "tag"),
            ("categories", "category"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("genres", "genre"),
            ("statuses", "status"),
            ("status", "status"),
            ("analysis", "analysis"),
            ("movies", "movie"),
            ("heroes", "hero"),
            ("people", "person"),
            ("video_ratings", "video_rating"),
            ("areas_of_expertise", "area_of_expertise"),
            ("points_of_interest", "point_of_interest"),
            ("batches", "batch"),
            ("bids", "bid"),
            ("data", "data"),
            ("s", "s"),
            ("", ""),
        ] {
            assert_eq!(to_singular(many), one);
        }
    }
}
