//! Any text is read as a trace without a panic, and the parts of its time add up.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for trace in doctor::trace::read(&text).unwrap_or_default() {
        let analysis = doctor::trace::analyse(&trace);
        let own: u64 = analysis.timeline.activities.iter().map(|activity| activity.own).sum();
        assert_eq!(own + analysis.unaccounted, analysis.timeline.total);
    }
});
