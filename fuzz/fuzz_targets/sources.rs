//! Any bytes are read as what people collect from nodes, without a panic. The first byte selects the
//! reader by the line that opens it; 0 leaves the choice to the bytes themselves.
#![no_main]

use doctor::source::Collector;
use libfuzzer_sys::fuzz_target;

const OPENINGS: [&str; 24] = [
    "",
    "INFO  [main] 2026-11-18 11:22:46,123 F.java:1 - ",
    "WARN  2024-12-03 13:05:02,004 [shard 1:  mt] large_data - ",
    "[2026-11-18T11:22:46.123+0000][info][gc] ",
    "OpenJDK 64-Bit Server VM (25)\n",
    "Total number of tables: 5\nKeyspace : ks\n\t\tTable: t\n\t\t",
    "ks/t histograms\nPercentile  SSTables  Write Latency  Read Latency  Partition Size  Cell Count\n50% ",
    "Pool Name Active Pending Completed Blocked All time blocked\n",
    "pending tasks: 5\n- ks.",
    "concurrent compactors 2\n",
    "Compaction History:\nid keyspace_name columnfamily_name compacted_at bytes_in bytes_out\n",
    "READS Sampler:\n",
    "Frequency of reads by partition:\n   Table Partition Count +/-\n   ",
    "ID                     : x\n",
    "Datacenter: dc1\n--  Address Load\nUN  ",
    "Datacenter: dc1\nAddress Rack Status State Load Owns Token\n",
    "Cluster Information:\n\tSchema versions:\n\t\t",
    "       Interval (ms) Max GC Elapsed (ms)\n",
    "Total connected clients: 5\n",
    "Type: single-query\nQuery: ",
    "user:a|type:SELECT|ks:k|operation:",
    "SSTable: /d/ks/t-f72e32b0e34311f1b84317903b7865d8/nb-1-big\n",
    "Processing ks.t-f72e32b0e34311f1b84317903b7865d8 #1 (x uncompressed, y on disk)\n  Partition: '",
    "CREATE TABLE ",
];

fuzz_target!(|data: &[u8]| {
    let Some((selector, rest)) = data.split_first() else { return };
    let opening = OPENINGS[usize::from(*selector) % OPENINGS.len()];
    let bytes = [opening.as_bytes(), rest].concat();
    let mut collector = Collector::new();
    // Twice: what is known meets what is read again, and small buffers cut lines.
    collector.read("a", "", &bytes[..]);
    collector.read("b", "node", std::io::BufReader::with_capacity(7, &bytes[..]));
    let snapshot = collector.finish();
    assert!(snapshot.sources.len() >= 2);
});
