//! The flags of the search: what things cost, what is allowed, and other workloads than the file's.

use std::path::PathBuf;

use design::SearchOptions;
use design::prices::{PROFILES, Prices};
use model::sql::ModelFile;
use model::workload::{self, RateChange};

use crate::arguments;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

/// How the best design is searched for.
#[derive(clap::Args)]
#[command(next_help_heading = "The search")]
pub(crate) struct SearchArguments {
    /// What reads, writes and storage cost
    #[arg(long, value_name = "NAME", value_parser = profile, default_value = "helenus")]
    profile: &'static Prices,
    /// A file with other prices, in lines such as `row = 0.001`, as --calibrate writes it
    #[arg(long, value_name = "FILE", conflicts_with = "profile")]
    prices: Option<PathBuf>,
    /// Measure the prices on the embedded engine, or on the cluster of --on, and print them as a file for --prices
    #[arg(long, conflicts_with_all = ["file", "prices", "json", "why"])]
    pub(super) calibrate: bool,
    /// Materialized views may be used
    #[arg(long)]
    allow_views: bool,
    /// At most so many tables
    #[arg(long, value_name = "N", value_parser = arguments::whole)]
    max_tables: Option<u64>,
    /// At most so much storage, one copy of everything, today
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    max_storage: Option<f64>,
    /// Design for another rate of a query or write (may be repeated)
    #[arg(long, value_name = "NAME x10 | NAME 500/s", value_parser = arguments::what_if)]
    what_if: Vec<(String, RateChange)>,
    /// Design without a query or write (may be repeated)
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// How long the search may go on, in steps of its own counting: the same on every machine
    #[arg(long, value_name = "STEPS", value_parser = arguments::whole)]
    work: Option<u64>,
}

impl SearchArguments {
    /// As the designer takes it.
    pub(super) fn search(&self) -> Result<SearchOptions, Failure> {
        let usual = SearchOptions::default();
        Ok(SearchOptions {
            enabled: true,
            explain: true,
            prices: self.prices()?,
            allow_views: self.allow_views,
            tables_most: self.max_tables.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            bytes_most: self.max_storage,
            work: self.work.unwrap_or(usual.work),
        })
    }

    /// The prices of the profile.
    pub(super) fn profile(&self) -> &Prices {
        self.profile
    }

    fn prices(&self) -> Result<Prices, Failure> {
        let Some(path) = &self.prices else { return Ok(self.profile.clone()) };
        let file = Source::read(path)?;
        Prices::read(&file.text).map_err(|mistakes| {
            let message = format!("{}: {}", path.display(), mistakes.join("; "));
            Failure::Stopped(Outcome::BadInput, message)
        })
    }

    /// Changes the workload as asked.
    pub(super) fn apply_changes(&self, file: &mut ModelFile) -> Result<(), Failure> {
        for (name, rate) in &self.what_if {
            if !workload::change_rate(&mut file.concept, &mut file.workload, name, *rate) {
                return Err(unknown_name("--what-if", file, name));
            }
        }
        for name in &self.without {
            file.workload = match file.workload.exclude(name) {
                Some(left) => left,
                None => return Err(unknown_name("--without", file, name)),
            };
        }
        Ok(())
    }
}

fn unknown_name(flag: &str, file: &ModelFile, name: &str) -> Failure {
    let reads = file.workload.reads.iter().map(|read| read.name.as_str());
    let names = reads.chain(file.workload.writes.iter().map(|write| write.name.as_str()));
    let hint = cql::spelling::hint(cql::spelling::find_nearest(name, names));
    let message = format!("{flag}: there is no query or write {name}{hint}");
    Failure::Stopped(Outcome::BadInput, message)
}

/// A profile of that name.
fn profile(name: &str) -> Result<&'static Prices, String> {
    PROFILES.into_iter().find(|profile| profile.name == name).ok_or_else(|| {
        let names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
        format!("there are {}", names.join(" and "))
    })
}
