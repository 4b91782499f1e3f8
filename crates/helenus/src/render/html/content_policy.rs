//! The Content-Security-Policy of a page: its own style sheets and script, by their hashes.

use sha2::{Digest, Sha256};

/// The alphabet of Base64.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The policy of a page with these style sheets and this script.
pub(super) fn describe_policy(styles: &[&str], script: Option<&str>) -> String {
    let sources = |texts: &[&str]| {
        let hashes: Vec<_> = texts.iter().map(|text| hash_source(text)).collect();
        if hashes.is_empty() { "'none'".to_owned() } else { hashes.join(" ") }
    };
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        sources(styles),
        sources(script.as_slice())
    )
}

/// The source of a text in the policy: `'sha256-...'`.
fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", encode_base64(&Sha256::digest(text.as_bytes())))
}

fn encode_base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = (group >> (18 - 6 * at) & 63) as usize;
            text.push(if at <= chunk.len() { char::from(ALPHABET[digit]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, and a hash of the CSP specification.
    #[test]
    fn hashes_are_in_base64() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let encoded = texts.map(|text| encode_base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(
            hash_source("alert('Hello, world.');"),
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
        );
    }

    #[test]
    fn nothing_else_is_allowed() {
        assert_eq!(
            describe_policy(&[""], None),
            "default-src 'none'; style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; script-src 'none'; base-uri 'none'; form-action 'none'"
        );
    }
}
