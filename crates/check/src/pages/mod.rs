//! The pages of the rules are their tests: the blocks of CQL in them, what is found there and what fixing makes of them.
//!
//! A page has fenced blocks whose first word is `cql` and whose others say what they are:
//! - `found`: every line that ends with a comment of codes (`-- PK001` or `-- PK001, CK009`) has these findings that the page's rule is one
//!   of, and no other line has a finding of the page's rule;
//! - `clean`: no finding of the page's rule, and none of any rule at high or above;
//! - `fixed`: what fixing makes of the `found` block before it; it is clean as well.
//!
//! A block whose first word is `server` quotes the messages of the `found` block before it, and with `help:` before them its helps.
//!
//! More words set the scene: `migration` (every statement is a step, but for files without a number), `target=scylla`,
//! `environment=test`, `strict`, `nodes=12`,
//! `server:allow_filtering_enabled=false`, `limit:hot-partition-rate=10`, `markers=65536` (`?...` stands for so many), `file=reads.java`, `unsafe` (unsafe fixes are applied too). A line `-- file: name`
//! within a block starts another text, and the text above a line `-- before` is the schema that the rest is compared with.

mod blocks;
mod fixes;
#[cfg(test)]
mod tests;

pub use blocks::{PageBlock, PageText, TextRole};

use crate::Rule;

impl Rule {
    /// The blocks of its page.
    pub fn blocks(&self) -> Vec<PageBlock> {
        blocks::parse_blocks(self.page)
    }
}

/// The codes in the comment that ends a line.
fn codes(line: &str) -> Vec<&str> {
    let Some((_, comment)) = line.rsplit_once("-- ") else { return Vec::new() };
    let all: Vec<&str> = comment.trim().split(", ").collect();
    let is_code = |code: &&str| {
        code.len() == 5
            && code[..2].bytes().all(|byte| byte.is_ascii_uppercase())
            && code[2..].bytes().all(|byte| byte.is_ascii_digit())
    };
    if all.iter().all(is_code) { all } else { Vec::new() }
}
