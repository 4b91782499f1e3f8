//! Java behaviour that is visible in the server's messages: the order of hash maps, the parsing and
//! printing of numbers.

pub(crate) mod digest;
pub(crate) mod number;
pub(crate) mod order;
