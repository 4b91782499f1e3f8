//! stub
use crate::Snapshot;
use std::io::BufRead;
#[derive(Debug, Default)]
pub struct Collector;
impl Collector {
    pub fn new() -> Self {
        Self
    }
    pub fn read(&mut self, _: &str, _: &str, _: impl BufRead) {}
    pub fn finish(self) -> Snapshot {
        Snapshot::default()
    }
}
