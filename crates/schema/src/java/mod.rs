//! What the server's messages owe to Java: the order of its hash maps, how it reads and prints numbers.

pub(crate) mod digest;
pub(crate) mod number;
pub(crate) mod order;
