//! Passwords: salted and hashed, as the server stores them.

use bcrypt::{HashParts, Version};

use crate::error::{Error, Result};
use crate::node::entropy::Entropy;

/// The logarithm of the rounds.
const COST: u32 = 10;

/// The form of a password that is stored.
pub(super) fn hash(entropy: &dyn Entropy, password: &str) -> Result<String> {
    let mut salt = [0; 16];
    salt[..8].copy_from_slice(&entropy.next().to_be_bytes());
    salt[8..].copy_from_slice(&entropy.next().to_be_bytes());
    let parts: HashParts = bcrypt::hash_with_salt(password, COST, salt)
        .map_err(|failure| Error::server(format!("the password cannot be hashed: {failure}")))?;
    Ok(parts.format_for_version(Version::TwoA))
}

/// Whether a password is the one that was hashed.
pub(super) fn is_match(password: &str, hash: &str) -> bool {
    bcrypt::verify(password, hash).unwrap_or(false)
}

/// Whether a text can be the form of a password that is stored, as the server sees it: version, rounds and salt.
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
