//! The MD5 digest, by which Cassandra names statements and its own tables. It keeps nothing safe and is used for nothing
//! that should be.

const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The constants of the 64 steps: the whole part of 2^32 times the sine of the step, which is exact enough in binary64.
fn constant(step: u32) -> u32 {
    let sine = f64::from(step + 1).sin().abs() * 4_294_967_296.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 2^32, and the fraction is to go"
    )]
    let whole = sine as u32;
    whole
}

/// The digest of bytes.
pub fn md5(bytes: &[u8]) -> [u8; 16] {
    let mut message = bytes.to_vec();
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(64) - 8, 0);
    let bits = u64::try_from(bytes.len()).unwrap_or(u64::MAX).wrapping_mul(8);
    message.extend(bits.to_le_bytes());
    let constants: [u32; 64] =
        std::array::from_fn(|step| constant(u32::try_from(step).unwrap_or(0)));
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in message.chunks_exact(64) {
        let mut words = [0_u32; 16];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().unwrap_or_default());
        }
        state = compress(state, &words, &constants);
    }
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

fn compress(state: [u32; 4], words: &[u32; 16], constants: &[u32; 64]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = state;
    for (step, constant) in constants.iter().enumerate() {
        let (mixed, word) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        let sum = a.wrapping_add(mixed).wrapping_add(*constant).wrapping_add(words[word % 16]);
        let turned = sum.rotate_left(SHIFTS[step / 16][step % 4]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
    }
    let add = |at: usize, value: u32| state[at].wrapping_add(value);
    [add(0, a), add(1, b), add(2, c), add(3, d)]
}

/// The id that Java makes of a name (version 3).
pub fn name_id(name: &[u8]) -> [u8; 16] {
    let mut id = md5(name);
    id[6] = 0x30 | (id[6] & 0x0f);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        cql::value::bytes_to_hex(bytes)
    }

    #[test]
    fn digests_are_those_of_rfc_1321() {
        assert_eq!(hex(&md5(b"")), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(&md5(b"abc")), "900150983cd24fb0d6963f7d28e17f72");
        let long = "1234567890".repeat(8);
        assert_eq!(hex(&md5(long.as_bytes())), "57edf4a22be3c955ac49da2e2107b67a");
    }

    #[test]
    fn system_tables_have_the_ids_of_their_names() {
        assert_eq!(hex(&name_id(b"system_tracesevents")), "8826e8e9e16a372887533bc1fc713c25");
    }
}
