//! Names of what large values hold, and of blobs that are short.

use super::matcher::has_word;

/// Images, documents, attachments.
const FILE_WORDS: &[&str] = &[
    "image",
    "img",
    "file",
    "content",
    "contents",
    "attachment",
    "picture",
    "photo",
    "logo",
    "avatar",
    "thumbnail",
    "video",
    "audio",
    "pdf",
    "document",
    "binary",
];

/// Hashes, identifiers, tokens: short, though they may be blobs.
const DIGEST_WORDS: &[&str] = &[
    "hash",
    "hashes",
    "id",
    "ids",
    "key",
    "keys",
    "token",
    "tokens",
    "digest",
    "digests",
    "checksum",
    "address",
    "addresses",
    "signature",
    "signatures",
    "fingerprint",
    "fingerprints",
    "checksums",
    "pubkey",
    "pubkeys",
    "mac",
];

/// Whether a name says that it is a file: an image, a document, an attachment.
pub(crate) fn is_file_name(name: &str) -> bool {
    has_word(name, FILE_WORDS)
}

/// Whether a name says that its value is short, though a blob: a hash, an identifier, a token.
pub(crate) fn is_digest_name(name: &str) -> bool {
    has_word(name, DIGEST_WORDS)
}
