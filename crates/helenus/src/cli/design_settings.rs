//! The options that `design`, `diagram` and `estimate` share.

use std::path::PathBuf;

use design::{Limits, Options, Target};

use super::option_values;

/// The target and the limits that a design must respect.
#[derive(clap::Args)]
pub(crate) struct DesignSettings {
    /// Database that the design is for
    #[arg(long, value_enum, default_value = "cassandra-5.0", value_name = "TARGET")]
    target: option_values::TargetName,
    /// Maximum partition size at p99.9
    #[arg(long, value_name = "SIZE", default_value = "100MB", value_parser = option_values::bytes)]
    max_partition: f64,
    /// Maximum rows per partition at p99.9
    #[arg(long, value_name = "ROWS", default_value = "300k", value_parser = option_values::count)]
    max_rows: f64,
    /// Warn about queries that read more than this many partitions
    #[arg(long, value_name = "PARTITIONS", default_value = "16", value_parser = option_values::count)]
    warn_fan_out: f64,
    /// Treat queries that read more than this many partitions as scans
    #[arg(long, value_name = "PARTITIONS", default_value = "100", value_parser = option_values::count)]
    scan_fan_out: f64,
    /// Shard partitions that receive more than this many writes per second
    #[arg(long, value_name = "WRITES", default_value = "1k", value_parser = option_values::count)]
    hot_writes: f64,
    /// Warn about partitions that receive more than this many reads per second
    #[arg(long, value_name = "READS", default_value = "5k", value_parser = option_values::count)]
    hot_reads: f64,
    /// Time from the oldest to the newest write of a data file, such as 10s for files fresh from
    /// memory [default: the compaction window, else the retention time, else 5 years]
    #[arg(long, value_name = "TIME", value_parser = option_values::days)]
    file_span: Option<f64>,
    /// Refuse queries that are scans
    #[arg(long)]
    strict: bool,
    /// Take volumes that the model does not state from this output of `helenus stats --sql`
    #[arg(long, value_name = "FILE")]
    pub(super) stats: Option<PathBuf>,
}

impl DesignSettings {
    /// The options of the designer.
    pub(crate) fn options(&self) -> Options {
        Options {
            limits: Limits {
                partition_bytes: self.max_partition,
                partition_rows: self.max_rows,
                fan_out_warn: self.warn_fan_out,
                fan_out_scan: self.scan_fan_out,
                hot_writes: self.hot_writes,
                hot_reads: self.hot_reads,
                strict: self.strict,
                ..Limits::default()
            },
            target: Target::from(self.target),
            file_span_days: self.file_span,
            ..Options::default()
        }
    }
}
