//! The flags of the proof.

use std::path::PathBuf;

use cluster::{ConnectionOptions, Credentials, Tls};

use crate::arguments;
use crate::outcome::Failure;
use crate::proof::{ProofPlan, cluster_failure};

/// How a design is proven.
#[derive(clap::Args)]
#[command(next_help_heading = "The proof")]
pub(crate) struct ProofArguments {
    /// Prove with about this many rows (such as 1M), and show all that was measured
    #[arg(
        long,
        value_name = "ROWS",
        num_args = 0..=1,
        default_missing_value = "20k",
        value_parser = arguments::whole
    )]
    prove: Option<u64>,
    /// Do not run the queries and writes on the designed tables
    #[arg(long, conflicts_with_all = ["prove", "on"])]
    no_prove: bool,
    /// Run the proof on this cluster, in a keyspace of its own that is removed afterwards; the user and the password are
    /// those of `HELENUS_USER` and `HELENUS_PASSWORD`
    #[arg(long, value_name = "HOST:PORT[,HOST:PORT]")]
    on: Option<String>,
    /// A file with the lines `user = ...` and `password = ...`, which nobody else may read
    #[arg(long, value_name = "FILE", requires = "on")]
    credentials: Option<PathBuf>,
    /// Encrypt: the certificates (PEM) of those who signed the cluster's
    #[arg(long, value_name = "FILE", requires = "on")]
    tls_ca: Option<PathBuf>,
    /// Encrypt: the certificate (PEM) that says who asks
    #[arg(long, value_name = "FILE", requires_all = ["on", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// Encrypt: the private key (PEM) of that certificate
    #[arg(long, value_name = "FILE", requires_all = ["on", "tls_cert"])]
    tls_key: Option<PathBuf>,
    /// Encrypt, and take anybody for the cluster
    #[arg(long, requires = "on", conflicts_with = "tls_ca")]
    tls_no_verify: bool,
    /// Where the random data and questions of the proof begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl ProofArguments {
    /// What was asked for; `None` for no proof.
    pub(super) fn plan(&self) -> Result<Option<ProofPlan>, Failure> {
        if self.no_prove {
            return Ok(None);
        }
        Ok(Some(ProofPlan { rows: self.prove, seed: self.seed, on: self.access()? }))
    }

    /// The cluster that was named.
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
            client: self.tls_cert.clone().zip(self.tls_key.clone()),
            trusts_anybody: self.tls_no_verify,
        };
        (tls != Tls::default()).then_some(tls)
    }
}
