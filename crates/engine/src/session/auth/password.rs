//! Passwords: salted and hashed with bcrypt, as in the server.

use std::sync::LazyLock;

use bcrypt::{HashParts, Version};

use crate::error::{Error, Result};
use crate::node::entropy::Entropy;

/// The cost of bcrypt: the logarithm of the number of rounds.
const COST: u32 = 10;

/// Hashes a password.
pub(super) fn hash(entropy: &dyn Entropy, password: &str) -> Result<String> {
    let mut salt = [0; 16];
    salt[..8].copy_from_slice(&entropy.next().to_be_bytes());
    salt[8..].copy_from_slice(&entropy.next().to_be_bytes());
    let parts: HashParts = bcrypt::hash_with_salt(password, COST, salt)
        .map_err(|failure| Error::server(format!("cannot hash the password: {failure}")))?;
    Ok(parts.format_for_version(Version::TwoA))
}

/// Whether a password matches a hash.
pub(super) fn is_match(password: &str, hash: &str) -> bool {
    bcrypt::verify(password, hash).unwrap_or(false)
}

/// Compares a password with a hash of nothing, so that the time of a refusal does not tell whether
/// the role exists.
pub(super) fn spend_hash_time(password: &str) {
    static HASH: LazyLock<String> = LazyLock::new(|| {
        let parts = bcrypt::hash_with_salt("", COST, [0; 16]);
        parts.map(|parts| parts.format_for_version(Version::TwoA)).unwrap_or_default()
    });
    let _ = is_match(password, &HASH);
}

/// Whether the server would accept a text as a hash: version, rounds and salt.
pub(super) fn is_hash(text: &str) -> bool {
    let rest = text.strip_prefix("$2a$").or_else(|| text.strip_prefix("$2$"));
    let Some((rounds, salt)) = rest.and_then(|rest| rest.split_once('$')) else { return false };
    let has_rounds =
        rounds.len() == 2 && rounds.parse().is_ok_and(|rounds| (4..31).contains(&rounds));
    has_rounds && salt.len() >= 22 && salt.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::{hash, is_hash, is_match};
    use crate::node::entropy::SeededEntropy;

    #[test]
    fn a_password_is_known_again() {
        let stored = hash(&SeededEntropy::new(1), "cassandra").expect("it has no zero");
        assert!(stored.starts_with("$2a$10$") && stored.len() == 60, "{stored}");
        assert!(is_match("cassandra", &stored) && !is_match("Cassandra", &stored));
        assert!(is_hash(&stored));
    }

    #[test]
    fn what_the_server_takes_for_a_hash() {
        let salt = "JSJEMFm6GeaW9XxT5JIheu";
        assert!(is_hash(&format!("$2a$10${salt}")) && is_hash(&format!("$2$10${salt}")));
        for wrong in [
            "x",
            "$2a$10$JSJEMFm6GeaW9XxT5JIhe",
            &format!("$2b$10${salt}"),
            &format!("$2a$03${salt}"),
        ] {
            assert!(!is_hash(wrong), "{wrong}");
        }
    }
}
