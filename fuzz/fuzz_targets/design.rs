//! Any text is read as a model file without a panic; what it says is designed without one.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else { return };
    if let Ok(file) = model::sql::read(source, "model") {
        for rules_only in [false, true] {
            let options = design::Options { rules_only, ..design::Options::default() };
            design::design(&file.concept, &file.workload, &options);
        }
    }
});
