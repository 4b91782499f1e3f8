//! Any text is read as JSON or YAML, and as a statement to generalise, without a panic; no literal
//! text remains in the shape of a statement.
#![no_main]

use doctor::source::{Collector, shape_statement};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for opening in ["{\"", "[{\"", "a:\n  ", "cluster_name: x\nnum_tokens: 1\n"] {
        let mut collector = Collector::new();
        collector.read("a", "", format!("{opening}{text}").as_bytes());
        collector.finish();
    }
    let shaped = shape_statement("ks", &format!("SELECT a FROM t WHERE k = 'secret' {text}"));
    assert!(!shaped.shape.text.contains("'secret'"));
    doctor::yaml::read_leniently(text);
    let _ = doctor::yaml::read(text);
});
