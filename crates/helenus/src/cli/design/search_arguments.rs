//! The options of the search: prices, bounds on the design, and changes to the workload.

use std::path::PathBuf;

use design::SearchOptions;
use design::prices::{PROFILES, Prices};
use model::sql::ModelFile;
use model::workload::{self, RateChange};

use super::program_file;
use crate::cli::option_values;
use crate::outcome::{Failure, Outcome};
use crate::workspace::text_file;

/// How the cheapest design is searched for.
#[derive(clap::Args)]
#[command(next_help_heading = "Search options")]
pub(crate) struct SearchArguments {
    /// Prices of reads, writes and storage
    #[arg(long, value_name = "NAME", value_parser = profile, default_value = "helenus")]
    profile: &'static Prices,
    /// Read prices from a file with lines such as `row = 0.001`, as written by --calibrate
    #[arg(long, value_name = "FILE", conflicts_with = "profile")]
    prices: Option<PathBuf>,
    /// Measure prices on the embedded engine, or on the cluster given by --on, and print them as a
    /// file for --prices
    #[arg(long, conflicts_with_all = ["files", "prices", "json", "why", "program"])]
    pub(super) calibrate: bool,
    /// Allow materialized views
    #[arg(long)]
    allow_views: bool,
    /// Maximum number of tables
    #[arg(long, value_name = "N", value_parser = option_values::whole)]
    max_tables: Option<u64>,
    /// Maximum storage today, before replication
    #[arg(long, value_name = "SIZE", value_parser = option_values::bytes)]
    max_storage: Option<f64>,
    /// Change the rate of a query or write (repeatable)
    #[arg(long, value_name = "NAME x10 | NAME 500/s", value_parser = option_values::what_if)]
    what_if: Vec<(String, RateChange)>,
    /// Leave out a query or write (repeatable)
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Maximum number of steps of the search; the result is the same on every machine
    #[arg(long, value_name = "STEPS", value_parser = option_values::whole)]
    work: Option<u64>,
    /// Write the integer program of the search in CPLEX LP format, and its solution with the
    /// ending .sol, so that another solver can check that the design is the cheapest
    #[arg(long, value_name = "FILE.lp", value_parser = program_file::parse_path)]
    pub(super) program: Option<PathBuf>,
}

impl SearchArguments {
    /// The search options of the designer.
    pub(super) fn search(&self) -> Result<SearchOptions, Failure> {
        let defaults = SearchOptions::default();
        Ok(SearchOptions {
            enabled: true,
            explain: true,
            prices: self.prices()?,
            allow_views: self.allow_views,
            tables_most: self.max_tables.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            bytes_most: self.max_storage,
            work: self.work.unwrap_or(defaults.work),
        })
    }

    /// The prices of the profile.
    pub(super) fn profile(&self) -> &Prices {
        self.profile
    }

    fn prices(&self) -> Result<Prices, Failure> {
        let Some(path) = &self.prices else { return Ok(self.profile.clone()) };
        let source = text_file::read(path)?.source;
        Prices::read(&source.text).map_err(|mistakes| {
            let message = format!("{}: {}", path.display(), mistakes.join("; "));
            Failure::Stopped(Outcome::BadInput, message)
        })
    }

    /// Whether the workload is changed.
    pub(super) fn has_changes(&self) -> bool {
        !self.what_if.is_empty() || !self.without.is_empty()
    }

    /// Applies `--what-if` and `--without` to the workload.
    pub(super) fn apply_changes(&self, file: &mut ModelFile) -> Result<(), Failure> {
        for (name, rate) in &self.what_if {
            if !workload::change_rate(&mut file.concept, &mut file.workload, name, *rate) {
                return Err(unknown_name("--what-if", file, name));
            }
        }
        for name in &self.without {
            file.workload = match file.workload.exclude(&file.concept, name) {
                Some(remaining) => remaining,
                None => return Err(unknown_name("--without", file, name)),
            };
        }
        Ok(())
    }
}

/// The failure for a name that is no query or write.
pub(in crate::cli) fn unknown_name(flag: &str, file: &ModelFile, name: &str) -> Failure {
    let reads = file.workload.reads.iter().map(|read| read.name.as_str());
    let names =
        reads.chain(file.workload.list_stated_writes().iter().map(|write| write.name.as_str()));
    let hint = cql::spelling::hint(cql::spelling::find_nearest(name, names));
    let message = format!("{flag}: unknown query or write {name}{hint}");
    Failure::Stopped(Outcome::BadInput, message)
}

/// Finds a price profile by name.
fn profile(name: &str) -> Result<&'static Prices, String> {
    PROFILES.into_iter().find(|profile| profile.name == name).ok_or_else(|| {
        let names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
        format!("available profiles: {}", names.join(", "))
    })
}
