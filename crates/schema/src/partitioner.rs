//! [`Token`]: the position of a partition on the ring.
//!
//! Cassandra's default partitioner uses the 64 high bits of Murmur3 (x64, 128 bits, seed 0) in a
//! variant: the bytes after the last whole block of 16 are taken as signed numbers, so keys with
//! bytes above 127 there differ from the standard.

use std::fmt;

/// A position on the ring. Tokens order partitions; the minimum is not the token of any partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub i64);

impl Token {
    /// Below every partition's token: the start and the end of the ring.
    pub const MINIMUM: Self = Self(i64::MIN);

    /// The token of a partition key, as built by [`partition_key`]. The empty key has the minimum.
    pub fn from_key(key: &[u8]) -> Self {
        if key.is_empty() {
            return Self::MINIMUM;
        }
        match hash(key).0.cast_signed() {
            i64::MIN => Self(i64::MAX),
            token => Self(token),
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The serialised partition key: the value of a single column; of several columns, each preceded by
/// its length in two bytes and followed by a zero. `None` if a value has 64 KiB or more.
pub fn partition_key<V: AsRef<[u8]>>(values: &[V]) -> Option<Vec<u8>> {
    if let [single] = values {
        let value = single.as_ref();
        return u16::try_from(value.len()).is_ok().then(|| value.to_vec());
    }
    let mut key = Vec::new();
    for value in values {
        let value = value.as_ref();
        key.extend(u16::try_from(value.len()).ok()?.to_be_bytes());
        key.extend(value);
        key.push(0);
    }
    Some(key)
}

/// The shard of a row among `count`: the token of its values, composed as a partition key, modulo
/// the count. Values too long for a key are hashed in sequence.
pub fn shard<V: AsRef<[u8]>>(values: &[V], count: u32) -> u32 {
    let key = partition_key(values).unwrap_or_else(|| {
        values.iter().flat_map(|value| value.as_ref().iter().copied()).collect()
    });
    let shard = Token::from_key(&key).0.rem_euclid(i64::from(count.max(1)));
    u32::try_from(shard).unwrap_or(0)
}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// Both halves of the hash, in Cassandra's variant.
pub fn hash(key: &[u8]) -> (u64, u64) {
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let (blocks, tail) = key.as_chunks::<16>();
    for block in blocks {
        let (k1, k2) = halves(block);
        h1 ^= scramble1(k1);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= scramble2(k2);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (low, high) = tail.split_at(tail.len().min(8));
    h2 ^= scramble2(tail_block(high));
    h1 ^= scramble1(tail_block(low));
    let length = key.len() as u64;
    h1 ^= length;
    h2 ^= length;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = finish(h1);
    h2 = finish(h2);
    h1 = h1.wrapping_add(h2);
    (h1, h2.wrapping_add(h1))
}

/// Two little-endian numbers.
fn halves(block: &[u8; 16]) -> (u64, u64) {
    let number = u128::from_be_bytes(*block).swap_bytes();
    #[expect(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
    let low = number as u64;
    (low, (number >> 64).try_into().unwrap_or(u64::MAX))
}

/// An incomplete block, whose bytes are sign-extended before they are shifted.
fn tail_block(bytes: &[u8]) -> u64 {
    let extended = bytes.iter().map(|byte| i64::from(byte.cast_signed()).cast_unsigned());
    extended.enumerate().fold(0, |k, (i, byte)| k ^ byte << (8 * i))
}

fn scramble1(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn scramble2(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn finish(mut k: u64) -> u64 {
    k ^= k >> 33;
    k = k.wrapping_mul(0xff51_afd7_ed55_8ccd);
    k ^= k >> 33;
    k = k.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ k >> 33
}

#[cfg(test)]
mod tests {
    use cql::value::hex_to_bytes;

    use super::{Token, partition_key, shard};

    #[test]
    fn tokens_of_a_real_node() {
        let mut count = 0;
        for line in
            include_str!("../testdata/tokens.txt").lines().filter(|line| !line.starts_with('#'))
        {
            let (values, token) = line.split_once('\t').expect(line);
            let values: Vec<_> = values
                .split(' ')
                .map(|hex| hex_to_bytes(hex.trim_matches('-')).expect(line))
                .collect();
            let key = partition_key(&values).expect(line);
            assert_eq!(Token::from_key(&key).to_string(), token, "{line}");
            count += 1;
        }
        assert!(count >= 300);
    }

    #[test]
    fn shards_are_tokens_modulo_their_number() {
        // Tokens of a real node (testdata/tokens.txt): -155496620801056360 mod 16 = 8,
        // -7986182186522572829 mod 8 = 3, -4782717905218859835 mod 1024 = 197, 2577169509528029360
        // mod 32 = 16.
        for (values, count, expected) in [
            ("33", 16, 8),
            ("3a", 8, 3),
            ("b389", 1024, 197),
            ("79fe6318c913bbd90931 ffffffffffffffffffffffffffffffffffff", 32, 16),
        ] {
            let values: Vec<_> = values.split(' ').map(|hex| hex_to_bytes(hex).unwrap()).collect();
            assert_eq!(shard(&values, count), expected, "{values:?}");
        }
        assert_eq!(shard::<&[u8]>(&[], 4), 0);
        assert_eq!(shard(&[[1_u8, 2]], 0), 0);
        assert_eq!(shard(&[[1_u8, 2]], 1), 0);
        assert!(shard(&[vec![7; 70_000]], 8) < 8);
    }

    #[test]
    fn long_values_are_no_keys() {
        assert!(partition_key(&[vec![0; 65535]]).is_some());
        assert!(partition_key(&[vec![0; 65536]]).is_none());
        assert!(partition_key(&[vec![], vec![0; 65536]]).is_none());
    }
}
