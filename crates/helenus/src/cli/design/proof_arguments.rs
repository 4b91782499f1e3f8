//! The options of the proof: its size, and the cluster it runs on.

use std::path::PathBuf;
use std::time::Duration;

use cluster::{ConnectionOptions, Credentials, Tls};

use crate::cli::option_values;
use crate::outcome::Failure;
use crate::proof::{CodeLanguage, ProofPlan, cluster_failure};

/// The time that a proof may take.
const TIME: Duration = Duration::from_secs(30);
/// The additional time for each row asked for.
const TIME_PER_ROW: Duration = Duration::from_millis(1);

/// How a design is proved.
#[derive(clap::Args)]
#[command(next_help_heading = "Proof options")]
pub(crate) struct ProofArguments {
    /// Prove the design with about this many rows (such as 1M), and show all measurements
    #[arg(
        long,
        value_name = "ROWS",
        num_args = 0..=1,
        default_missing_value = "20k",
        value_parser = option_values::whole
    )]
    prove: Option<u64>,
    /// Skip the proof: do not run the queries and writes on the designed tables
    #[arg(long, conflicts_with_all = ["prove", "on"])]
    no_prove: bool,
    /// Run the proof on this cluster, in a temporary keyspace; user name and password are read from
    /// the environment variables `HELENUS_USER` and `HELENUS_PASSWORD`
    #[arg(long, value_name = "HOST:PORT[,HOST:PORT]")]
    on: Option<String>,
    /// Run the proof through code that is generated from the design in this language: a program that
    /// is built in a temporary directory and connects with its own driver
    #[arg(
        long,
        value_name = "LANGUAGE",
        value_enum,
        conflicts_with_all = ["no_prove", "tls_ca", "tls_certificate", "tls_no_verify"]
    )]
    prove_code: Option<CodeLanguage>,
    /// With --prove-code: let a statement of each write fail or kill the program during it, and
    /// repeat the write, if its plan states that it may be repeated
    #[arg(long, requires = "prove_code", conflicts_with = "on")]
    prove_faults: bool,
    /// Read user name and password from a file with the lines `user = ...` and `password = ...`,
    /// readable only by its owner
    #[arg(long, value_name = "FILE", requires = "on")]
    credentials: Option<PathBuf>,
    /// Encrypt, and verify the server's certificate with these CA certificates (PEM)
    #[arg(long, value_name = "FILE", requires = "on")]
    tls_ca: Option<PathBuf>,
    /// Encrypt, and authenticate with this client certificate (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["on", "tls_key"])]
    tls_certificate: Option<PathBuf>,
    /// Private key (PEM) of the client certificate
    #[arg(long, value_name = "FILE", requires_all = ["on", "tls_certificate"])]
    tls_key: Option<PathBuf>,
    /// Encrypt, but do not verify the server's certificate (insecure)
    #[arg(long, requires = "on", conflicts_with = "tls_ca")]
    tls_no_verify: bool,
    /// Time limit of the proof; what it does not reach makes it incomplete [default: 30s, and 1 ms
    /// for each row of --prove]
    #[arg(
        long,
        value_name = "TIME",
        value_parser = option_values::duration,
        conflicts_with = "no_prove"
    )]
    prove_time: Option<Duration>,
    /// Seed of the random data and queries of the proof
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl ProofArguments {
    /// The proof to run; `None` with `--no-prove`.
    pub(super) fn plan(&self) -> Result<Option<ProofPlan>, Failure> {
        if self.no_prove {
            return Ok(None);
        }
        Ok(Some(ProofPlan {
            rows: self.prove,
            seed: self.seed,
            time: self.prove_time.unwrap_or_else(|| self.default_time()),
            on: self.access()?,
            language: self.prove_code,
            with_faults: self.prove_faults,
        }))
    }

    /// The time limit without `--prove-time`: more rows than usual take longer to load.
    fn default_time(&self) -> Duration {
        TIME.saturating_add(
            TIME_PER_ROW.saturating_mul(self.prove.unwrap_or(0).try_into().unwrap_or(u32::MAX)),
        )
    }

    /// The connection options of `--on`.
    pub(super) fn access(&self) -> Result<Option<ConnectionOptions>, Failure> {
        let Some(on) = &self.on else { return Ok(None) };
        let access = || {
            let mut access = ConnectionOptions::from_contact_points(on)?;
            access.credentials = match &self.credentials {
                Some(file) => Some(Credentials::from_file(file)?),
                None => Credentials::from_environment(|name| std::env::var(name).ok())?,
            };
            access.tls = self.tls();
            Ok(access)
        };
        access().map(Some).map_err(|error| cluster_failure(&error))
    }

    fn tls(&self) -> Option<Tls> {
        let tls = Tls {
            authority: self.tls_ca.clone(),
            client: self.tls_certificate.clone().zip(self.tls_key.clone()),
            trusts_anybody: self.tls_no_verify,
        };
        (tls != Tls::default()).then_some(tls)
    }
}
