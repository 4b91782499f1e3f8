//! How fast a log is read, and in how much memory: a stream of 1 GB, made in blocks, as debug.log has
//! it: mostly flushes and compactions, now and then a warning, a slow query or a stack trace.
//!
//! `cargo bench -p doctor --bench logs` prints the time of the processor, without that of making the
//! stream, bytes a second of it, the time that passed, and the peak of the resident memory.
//! `-- --write FILE [MB]` writes such a log, for other tools; `-- --read FILE` reads one.

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::time::Instant;

use doctor::source::Collector;

const STREAM_BYTES: u64 = 1_000_000_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["--write", path, ref rest @ ..] => {
            let megabytes = rest.first().and_then(|text| text.parse().ok()).unwrap_or(1_000);
            write_log(path, megabytes * 1_000_000).expect("the file can be written");
        }
        ["--read", path] => {
            let file = File::open(path).expect("the file can be read");
            measure(path, BufReader::with_capacity(1 << 20, file));
        }
        _ => measure("generated", BufReader::with_capacity(1 << 20, LogStream::new(STREAM_BYTES))),
    }
}

fn write_log(path: &str, bytes: u64) -> io::Result<()> {
    io::copy(&mut LogStream::new(bytes), &mut File::create(path)?).map(|_| ())
}

fn measure(name: &str, stream: impl BufRead) {
    let before = processor_seconds();
    if name == "generated" {
        io::copy(&mut LogStream::new(STREAM_BYTES), &mut io::sink()).expect("nothing can fail");
    }
    let generation = processor_seconds() - before;
    let (begin, before) = (Instant::now(), processor_seconds());
    let mut collector = Collector::new();
    let mut counter = CountingStream { stream, bytes: 0 };
    collector.read("debug.log", "node", &mut counter);
    let snapshot = collector.finish();
    let seconds = processor_seconds() - before - generation;
    let elapsed = begin.elapsed().as_secs_f64();
    let log = &snapshot.nodes["node"].log;
    let events: u64 = log.groups.values().map(|group| group.count).sum();
    let gigabytes = counter.bytes as f64 / 1e9;
    let mut out = io::stdout();
    writeln!(
        out,
        "{name}: {gigabytes:.2} GB, {} lines, {events} events, {} statements in {seconds:.2} s of the processor: \
         {:.2} GB/s; {elapsed:.2} s passed; peak memory {} MB",
        log.lines,
        snapshot.statements.len(),
        gigabytes / seconds,
        peak_kilobytes() / 1024
    )
    .expect("standard output can be written");
}

/// How long this thread ran on a processor, which a busy machine does not change.
fn processor_seconds() -> f64 {
    let schedule = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = schedule.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// The most resident memory so far.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Counts what is read.
struct CountingStream<R> {
    stream: R,
    bytes: u64,
}

impl<R: BufRead> Read for CountingStream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for CountingStream<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.stream.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes += amount as u64;
        self.stream.consume(amount);
    }
}

/// A log as a stream: blocks of lines with the time moved on.
struct LogStream {
    left: u64,
    block: Vec<u8>,
    at: usize,
    second: u64,
}

impl LogStream {
    fn new(bytes: u64) -> Self {
        Self { left: bytes, block: Vec::new(), at: 0, second: 0 }
    }

    /// The lines of a few seconds.
    fn fill(&mut self) {
        self.block.clear();
        self.at = 0;
        for _ in 0..64 {
            self.second += 1;
            let time = format!(
                "2026-{:02}-{:02} {:02}:{:02}:{:02},{:03}",
                self.second / 2_419_200 % 12 + 1,
                self.second / 86_400 % 28 + 1,
                self.second / 3600 % 24,
                self.second / 60 % 60,
                self.second % 60,
                self.second * 7 % 1000
            );
            self.push_second(&time);
        }
    }

    fn push_second(&mut self, time: &str) {
        let second = self.second;
        let id = second * 2_654_435_761 % 1_000_003;
        let table = id % 40;
        let noise = [
            format!(
                "DEBUG [CompactionExecutor:{}] {time} CompactionTask.java:175 - Compacting (f7bc41e0-e343-11f1-b843-17903b7865d8) [/var/lib/cassandra/data/shop/t{table}-afddfb9dbc1e30688056eed6c302ba09/nb-{id}-big-Data.db:level=0, /var/lib/cassandra/data/shop/t{table}-afddfb9dbc1e30688056eed6c302ba09/nb-{}-big-Data.db:level=0, ]",
                id % 4,
                id + 1
            ),
            format!(
                "INFO  [PerDiskMemtableFlushWriter_0:{}] {time} Flushing.java:153 - Writing Memtable-t{table}@{id}(460.117KiB serialized bytes, 3000 ops, 1.187MiB (1%) on-heap, 0B (0%) off-heap), flushed range = [min(-9223372036854775808), max(9223372036854775807))",
                id % 3
            ),
            format!(
                "INFO  [PerDiskMemtableFlushWriter_0:{}] {time} Flushing.java:179 - Completed flushing /var/lib/cassandra/data/shop/t{table}-f6d87190e34311f1b84317903b7865d8/nb-{id}-big-Data.db (369.007KiB) for commitlog position CommitLogPosition(segmentId=1795001593980, position={id})",
                id % 3
            ),
            format!(
                "DEBUG [MemtablePostFlush:1] {time} ColumnFamilyStore.java:1379 - forceFlush requested but everything is clean in t{table}"
            ),
            format!(
                "DEBUG [CompactionExecutor:{}] {time} Directories.java:550 - FileStore / (/dev/vda) has 71433711821 bytes available, checking if we can write {id} bytes",
                id % 4
            ),
            format!(
                "INFO  [CompactionExecutor:1] {time} CompactionTask.java:274 - Compacted (f7b7ae00-e343-11f1-b843-17903b7865d8) 4 sstables to [/var/lib/cassandra/data/shop/t{table}-24101c25a2ae3af787c1b40ee1aca33f/nb-{id}-big,] to level=0.  8.248KiB to 8.021KiB (~97% of original) in 45ms.  Read Throughput = 179.818KiB/s, Write Throughput = 174.857KiB/s, Row Throughput = ~332/s.  9 total partitions merged to 6.  Partition merge counts were {{1:5, 4:1, }}. Time spent writing keys = 17ms"
            ),
            format!(
                "DEBUG [BatchlogTasks:1] {time} BatchlogManager.java:227 - Finished replayFailedBatches"
            ),
            format!(
                "INFO  [HintsDispatcher:1] {time} HintsDispatchExecutor.java:282 - Finished hinted handoff of file {id}-1-1.hints to endpoint /10.0.0.7: 948f9c05"
            ),
        ];
        for (at, line) in noise.iter().enumerate() {
            self.push(line);
            if at % 2 == 0 {
                self.push(&noise[(at + 3) % noise.len()]);
            }
        }
        if second.is_multiple_of(5) {
            self.push(&format!("DEBUG [ScheduledTasks:1] {time} MonitoringTask.java:175 - 2 operations were slow in the last 5006 msecs:"));
            self.push(&format!("<SELECT * FROM shop.t{table} WHERE device = 'sensor {id}' AND day = '2026-11-18' LIMIT 5000 ALLOW FILTERING>, time {} msec - slow timeout 500 msec", 500 + id % 900));
            self.push(&format!("<SELECT * FROM shop.t{table} WHERE id = {id} AND at > 2026-11-18 10:00Z LIMIT 100 ALLOW FILTERING>, was slow 2 times: avg/min/max 672/509/835 msec - slow timeout 500 msec"));
        }
        if second.is_multiple_of(7) {
            self.push(&format!("WARN  [ReadStage-{}] {time} ReadCommand.java:644 - Read {} live rows and {} tombstone cells for query SELECT * FROM shop.queue WHERE q = 'job{id}' LIMIT 50 ALLOW FILTERING; token {id} (see tombstone_warn_threshold)", id % 32, id % 50, 1000 + id % 9000));
        }
        if second.is_multiple_of(11) {
            self.push(&format!("WARN  [Native-Transport-Requests-3] {time} BatchStatement.java:362 - Batch for [shop.t{table}] is of size {}.164KiB, exceeding specified threshold of 5.000KiB by 2.164KiB.", 6 + id % 40));
            self.push(&format!("INFO  [Service Thread] {time} GCInspector.java:286 - G1 Young Generation GC in {}ms.  G1 Eden Space: 241172480 -> 0; G1 Old Gen: 129144832 -> 96638976; ", 200 + id % 900));
        }
        if second.is_multiple_of(61) {
            self.push(&format!("ERROR [ReadStage-1] {time} JVMStabilityInspector.java:68 - Exception in thread Thread[ReadStage-1,5,SharedPool]"));
            self.push("java.lang.RuntimeException: java.nio.channels.ClosedChannelException");
            for line in 0..20 {
                self.push(&format!("\tat org.apache.cassandra.service.StorageProxy$DroppableRunnable.run(StorageProxy.java:{line})"));
            }
            self.push(&format!("INFO  [ScheduledTasks:1] {time} MessagingMetrics.java:206 - MUTATION_REQ messages were dropped in last 5000 ms: {id} internal and 3 cross node. Mean internal dropped latency: 2100 ms and Mean cross-node dropped latency: 2200 ms"));
        }
    }

    fn push(&mut self, line: &str) {
        self.block.extend_from_slice(line.as_bytes());
        self.block.push(b'\n');
    }
}

impl Read for LogStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        if self.at == self.block.len() {
            self.fill();
        }
        let rest = &self.block[self.at..];
        let length =
            rest.len().min(buffer.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        self.left -= length as u64;
        Ok(length)
    }
}
