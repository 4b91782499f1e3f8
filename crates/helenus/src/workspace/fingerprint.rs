//! Fingerprints of findings: a hash of the rule, its subject, and the statement without white space
//! and comments.
//!
//! They depend neither on the line nor on the file. Findings with the same fingerprint are
//! numbered.

use std::collections::BTreeMap;

use check::{Finding, Location};
use cql::ParsedSource;

/// The 64-bit FNV-1a hash.
#[derive(Clone, Copy)]
struct Fnv1a(u64);

impl Fnv1a {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Adds a word and a terminator.
    fn add_word(&mut self, word: &str) {
        word.bytes().for_each(|byte| self.add_byte(byte));
        self.add_byte(0);
    }
}

/// The fingerprints of findings, which must be sorted by text.
pub(crate) fn compute(texts: &[(&str, &ParsedSource)], findings: &[Finding]) -> Vec<String> {
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    let mut statement = StatementHashCache::default();
    let mut all = Vec::with_capacity(findings.len());
    for finding in findings {
        let mut hash = statement.hash(texts, finding.place);
        hash.add_word(finding.rule.code);
        let subject = &finding.subject;
        for name in [&subject.keyspace, &subject.table, &subject.column] {
            hash.add_word(name.as_deref().unwrap_or_default());
        }
        let times = seen.entry(hash.0).or_default();
        *times += 1;
        all.push(match *times {
            1 => format!("{:016x}", hash.0),
            times => format!("{:016x}-{times}", hash.0),
        });
    }
    all
}

/// The hash of the previous finding's statement, which most findings share with the next one.
#[derive(Default)]
struct StatementHashCache(Option<(usize, cql::Span, Fnv1a)>);

impl StatementHashCache {
    /// The hash of the statement around a location, or of the located text if there is none.
    fn hash(&mut self, texts: &[(&str, &ParsedSource)], place: Location) -> Fnv1a {
        let Some((text, parsed)) = texts.get(place.text) else { return Fnv1a::NEW };
        let next =
            parsed.statements.partition_point(|statement| statement.span.end < place.span.start);
        let around = parsed.statements.get(next).map(|statement| statement.span);
        let span = around.filter(|span| span.start <= place.span.start).unwrap_or(place.span);
        if let Some((cached_text, cached_span, hash)) = self.0
            && (cached_text, cached_span) == (place.text, span)
        {
            return hash;
        }
        let hash = hash_normalised(text, parsed, span);
        self.0 = Some((place.text, span, hash));
        hash
    }
}

fn hash_normalised(text: &str, parsed: &ParsedSource, span: cql::Span) -> Fnv1a {
    let mut hash = Fnv1a::NEW;
    let mut add = |from: u32, to: u32| {
        let piece = text.as_bytes().get(from as usize..to as usize).unwrap_or_default();
        let kept = piece.iter().filter(|byte| !byte.is_ascii_whitespace());
        kept.for_each(|byte| hash.add_byte(*byte));
    };
    let mut from = span.start;
    let first = parsed.comments.partition_point(|comment| comment.span.end <= span.start);
    let within = parsed.comments.iter().skip(first);
    for comment in within.take_while(|comment| comment.span.start < span.end) {
        add(from, comment.span.start.max(from));
        from = comment.span.end;
    }
    add(from, span.end.max(from));
    hash.add_byte(0);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use cql::Span;

    fn hash_text(text: &str) -> u64 {
        let parsed = cql::parse(text);
        let end = u32::try_from(text.len()).unwrap();
        StatementHashCache::default()
            .hash(&[(text, &parsed)], Location { text: 0, span: Span::new(end - 3, end - 2) })
            .0
    }

    #[test]
    fn blanks_and_comments_do_not_matter() {
        let plain = hash_text("SELECT a FROM t WHERE a = 12;");
        assert_eq!(plain, hash_text("SELECT  a -- the key\nFROM t\nWHERE a=12;"));
        assert_eq!(
            plain,
            hash_text("SELECT b FROM t; /* other */ SELECT a FROM t /* x */ WHERE a = 12;")
        );
        assert_ne!(plain, hash_text("SELECT a FROM t WHERE a = 13;"));
    }
}
