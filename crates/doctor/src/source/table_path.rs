//! Paths of the files of tables.

use crate::snapshot::TableName;

/// The table of a path: `.../data/ks/table-0123456789abcdef0123456789abcdef/nb-1-big-Data.db`, also of an
/// index or a snapshot below it.
pub(super) fn find_table(path: &str) -> Option<TableName> {
    let mut parts = path.rsplit('/').peekable();
    while let Some(part) = parts.next() {
        let Some((table, id)) = part.rsplit_once('-') else { continue };
        if id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Some(TableName::new(parts.peek()?, table));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_paths() {
        let id = "f72e32b0e34311f1b84317903b7865d8";
        let expected = Some(TableName::new("shop", "queue"));
        assert_eq!(find_table(&format!("/data/shop/queue-{id}/nb-1-big-Data.db")), expected);
        assert_eq!(
            find_table(&format!("/data/shop/queue-{id}/snapshots/x/nb-1-big-Data.db")),
            expected
        );
        assert_eq!(find_table("/data/shop/queue/nb-1-big-Data.db"), None);
        assert_eq!(find_table(""), None);
    }
}
