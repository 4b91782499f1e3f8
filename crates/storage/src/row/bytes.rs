//! Encoding and decoding of the primitives of a packed row: bytes, integers, varints.

/// Decodes from the front of a byte slice; `None` if it is too short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn take(&mut self, length: u32) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(head)
    }

    pub(crate) fn i32(&mut self) -> Option<i32> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_be_bytes(*head))
    }

    pub(crate) fn i64(&mut self) -> Option<i64> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i64::from_be_bytes(*head))
    }

    /// A number in groups of seven bits, the lowest first (LEB128).
    pub(crate) fn varint(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Bytes preceded by their length.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.varint()?;
        self.take(length)
    }
}

/// The counterpart of [`Reader::varint`]. Lengths above 4 GiB do not occur: protocol frames are
/// smaller.
pub(crate) fn put_varint(out: &mut Vec<u8>, number: usize) {
    let mut rest = u32::try_from(number).unwrap_or(u32::MAX);
    while rest >= 0x80 {
        out.push(rest.to_be_bytes()[3] | 0x80);
        rest >>= 7;
    }
    out.push(rest.to_be_bytes()[3]);
}

/// The counterpart of [`Reader::bytes`].
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len());
    out.extend_from_slice(bytes);
}
