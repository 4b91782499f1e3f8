//! The names of Java's message digests.

/// The names and aliases of the digests in every Java.
const DIGESTS: &[&str] = &[
    "MD2",
    "MD5",
    "SHA",
    "SHA1",
    "SHA-1",
    "SHA224",
    "SHA-224",
    "SHA256",
    "SHA-256",
    "SHA384",
    "SHA-384",
    "SHA512",
    "SHA-512",
    "SHA512/224",
    "SHA-512/224",
    "SHA512/256",
    "SHA-512/256",
    "SHA3-224",
    "SHA3-256",
    "SHA3-384",
    "SHA3-512",
];

/// Whether Java has a digest with that name, in any case. Object identifiers are assumed to be
/// known.
pub(crate) fn is_digest(name: &str) -> bool {
    let number = name.strip_prefix("OID.").unwrap_or(name);
    let is_identifier =
        number.contains('.') && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    is_identifier || DIGESTS.iter().any(|known| known.eq_ignore_ascii_case(name))
}
