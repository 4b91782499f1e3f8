//! Refusals whose own words tell what was meant.

use crate::Refusal;

pub(super) fn help(refusal: &Refusal) -> Option<String> {
    let fits = |(rule, words, _): &&(&str, &str, &str)| {
        *rule == refusal.rule() && refusal.message().contains(words)
    };
    REMEDIES.iter().find(fits).map(|(_, _, help)| (*help).to_owned())
}

/// A rule, words of its message, and what to do.
const REMEDIES: &[(&str, &str, &str)] = &[
    ("QV018", "IS NOT NULL", "leave it out: IS NOT NULL is for views"),
    ("QV020", "Cannot use CONTAINS on non-collection", "compare a plain column with ="),
    ("QV020", "Cannot use CONTAINS KEY on non-map", "use CONTAINS: only maps have keys"),
    ("QV020", "Non-frozen UDT", "make the type frozen, or keep the field in a column of its own"),
    ("QV020", "on frozen map", "compare the whole map, or keep it unfrozen"),
    ("QV020", "on map entries", "compare the entry with ="),
    ("QV020", "Indexes on list entries", "use CONTAINS: elements are not found by their position"),
    ("QV025", "for set column", "add the element: s = s + {...}"),
    ("QV025", "for non collection column", "write the whole column: it has no elements"),
    ("QV025", "for non-UDT column", "write the whole column: it has no fields"),
    ("QV027", "contains duplicates", "name each column once"),
    ("QV027", "too many elements", "give as many elements as the type has"),
    ("QV027", "Unable to make", "give a number that the type can hold"),
    ("QV028", "inside collections", "leave the null out: an element is there or not"),
    ("QV030", "must have a limit", "add a LIMIT of up to 1000"),
    ("QV030", "not greater than", "lower the LIMIT to 1000"),
    ("QV030", "with aggregation", "select the rows, and put them together in the application"),
    ("QV030", "per-partition limits", "leave PER PARTITION LIMIT out"),
    ("QV030", "Descending", "leave DESC out: the nearest come first"),
    ("QV030", "any other ordering", "order by the vector alone"),
    (
        "QV030",
        "requires the column to be indexed",
        "index the vector: CREATE INDEX ON ... USING 'sai'",
    ),
    (
        "QV030",
        "requires all restricted column(s)",
        "index these columns with SAI as well, or name the partition with =",
    ),
    ("QV030", "only support ANN queries", "order by the vector: ORDER BY ... ANN OF ... LIMIT 10"),
    ("SV016", "read_repair_chance", "leave it out: 4.0 removed it, and nothing took its place"),
    ("SV016", "Multiple definitions", "give it once"),
];
