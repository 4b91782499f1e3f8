//! Any text is checked and explained without a panic: schema statements take effect, the rest is bound.
#![no_main]

use cql::{ParseOptions, parse_with};
use libfuzzer_sys::fuzz_target;
use schema::session::{AcceptedStatement, Session};

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else { return };
    for templates in [false, true] {
        let mut session = Session::with_system_tables();
        session.assume_keyspace("ks").expect("a legal name");
        for statement in &parse_with(source, &ParseOptions { templates }).statements {
            if let Ok(AcceptedStatement::Bound(bound)) = session.run(statement) {
                schema::access::plan(&bound.kind);
            }
        }
    }
});
