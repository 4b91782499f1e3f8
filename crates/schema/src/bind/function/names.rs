//! The native functions that completion lists, under their names since 5.0.

/// The names of functions, and whether they have arguments. `cast`, `token`, `ttl` and `writetime`
/// are special syntax written like functions. Conversions of blobs are omitted: there are two for
/// each type.
pub const FUNCTION_NAMES: [(&str, bool); 45] = [
    ("abs", true),
    ("avg", true),
    ("cast", true),
    ("collection_avg", true),
    ("collection_count", true),
    ("collection_max", true),
    ("collection_min", true),
    ("collection_sum", true),
    ("count", true),
    ("current_date", false),
    ("current_time", false),
    ("current_timestamp", false),
    ("current_timeuuid", false),
    ("exp", true),
    ("floor", true),
    ("from_json", true),
    ("log", true),
    ("log10", true),
    ("map_keys", true),
    ("map_values", true),
    ("mask_default", true),
    ("mask_hash", true),
    ("mask_inner", true),
    ("mask_null", true),
    ("mask_outer", true),
    ("mask_replace", true),
    ("max", true),
    ("max_timeuuid", true),
    ("maxwritetime", true),
    ("min", true),
    ("min_timeuuid", true),
    ("now", false),
    ("round", true),
    ("similarity_cosine", true),
    ("similarity_dot_product", true),
    ("similarity_euclidean", true),
    ("sum", true),
    ("to_date", true),
    ("to_json", true),
    ("to_timestamp", true),
    ("to_unix_timestamp", true),
    ("token", true),
    ("ttl", true),
    ("uuid", false),
    ("writetime", true),
];

#[cfg(test)]
mod tests {
    use super::super::{factory, native};
    use super::FUNCTION_NAMES;

    #[test]
    fn all_are_functions_of_the_server() {
        for (name, takes_arguments) in FUNCTION_NAMES {
            let is_syntax = matches!(name, "cast" | "token" | "ttl" | "writetime" | "maxwritetime");
            let overloads = native::overloads(name);
            let is_known = !overloads.is_empty() || factory::find(name).is_some();
            assert!(is_known || is_syntax, "{name}");
            for overload in overloads {
                assert_eq!(!overload.arguments.is_empty(), takes_arguments, "{name}");
            }
        }
        assert!(FUNCTION_NAMES.is_sorted());
    }
}
