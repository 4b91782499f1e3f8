//! The message digests that Java provides by name.

use md2::Md2;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};

/// A digest function.
type HashFunction = fn(&[u8]) -> Vec<u8>;

/// The digests by their names and object identifiers.
static DIGESTS: [(&[&str], HashFunction); 13] = [
    (&["MD2"], hash::<Md2>),
    (&["MD5"], hash::<Md5>),
    (&["SHA", "SHA1", "SHA-1", "1.3.14.3.2.26"], hash::<Sha1>),
    (&["SHA224", "SHA-224", "2.16.840.1.101.3.4.2.4"], hash::<Sha224>),
    (&["SHA256", "SHA-256", "2.16.840.1.101.3.4.2.1"], hash::<Sha256>),
    (&["SHA384", "SHA-384", "2.16.840.1.101.3.4.2.2"], hash::<Sha384>),
    (&["SHA512", "SHA-512", "2.16.840.1.101.3.4.2.3"], hash::<Sha512>),
    (&["SHA512/224", "SHA-512/224", "2.16.840.1.101.3.4.2.5"], hash::<Sha512_224>),
    (&["SHA512/256", "SHA-512/256", "2.16.840.1.101.3.4.2.6"], hash::<Sha512_256>),
    (&["SHA3-224", "2.16.840.1.101.3.4.2.7"], hash::<Sha3_224>),
    (&["SHA3-256", "2.16.840.1.101.3.4.2.8"], hash::<Sha3_256>),
    (&["SHA3-384", "2.16.840.1.101.3.4.2.9"], hash::<Sha3_384>),
    (&["SHA3-512", "2.16.840.1.101.3.4.2.10"], hash::<Sha3_512>),
];

fn hash<D: Digest>(bytes: &[u8]) -> Vec<u8> {
    D::digest(bytes).to_vec()
}

/// The digest of bytes; `None` if the algorithm is unknown.
pub(super) fn digest(algorithm: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let name = algorithm.strip_prefix("OID.").unwrap_or(algorithm);
    let known = |names: &&[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    DIGESTS.iter().find(|(names, _)| known(names)).map(|(_, hash)| hash(bytes))
}
