//! Any text is read as a model file without a panic; what is said of it lies in it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else { return };
    let spans: Vec<_> = match model::sql::read(source, "app") {
        Ok(model) => model.assumptions.iter().map(|it| it.span).chain(model.warnings.iter().map(|it| it.span)).collect(),
        Err(complaints) => complaints.iter().map(|it| it.span).collect(),
    };
    for span in spans {
        assert!(source.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    }
});
