//! Ids derived from names by MD5, as Cassandra does for statements and system tables. Not for
//! security.

use md5::{Digest, Md5};

/// The digest of several byte strings in sequence.
pub(crate) fn md5_digest(parts: &[&[u8]]) -> [u8; 16] {
    let mut hashed = Md5::new();
    for part in parts {
        hashed.update(part);
    }
    hashed.finalize().into()
}

/// The name-based UUID (version 3) of a name, as Java's `UUID.nameUUIDFromBytes`.
pub(crate) fn from_name(name: &[u8]) -> [u8; 16] {
    let mut id = md5_digest(&[name]);
    id[6] = 0x30 | (id[6] & 0x0f);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}

#[test]
fn system_tables_have_the_ids_of_their_names() {
    let id = from_name(b"system_tracesevents");
    assert_eq!(cql::value::bytes_to_hex(&id), "8826e8e9e16a372887533bc1fc713c25");
}
