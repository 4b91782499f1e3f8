//! The options of a connection to a cluster: login and TLS.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use cluster::{ConnectionOptions, Credentials, Secret, Tls};

use crate::outcome::{Failure, Outcome};
use crate::proof::cluster_failure;

/// The login and the TLS settings of a connection.
#[derive(clap::Args)]
#[command(next_help_heading = "Connection options")]
pub(crate) struct ClusterArguments {
    /// Log in with this user name; the password is asked for, unless the environment variable
    /// `HELENUS_PASSWORD` has it [default: the variable `HELENUS_USER`]
    #[arg(short, long, value_name = "NAME", requires = "host", conflicts_with = "credentials")]
    user: Option<String>,
    /// Read user name and password from a file with the lines `user = ...` and `password = ...`,
    /// readable only by its owner
    #[arg(long, value_name = "FILE", requires = "host")]
    credentials: Option<PathBuf>,
    /// Encrypt, and verify the server's certificate with these CA certificates (PEM)
    #[arg(long, value_name = "FILE", requires = "host")]
    tls_ca: Option<PathBuf>,
    /// Encrypt, and authenticate with this client certificate (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["host", "tls_key"])]
    tls_certificate: Option<PathBuf>,
    /// Private key (PEM) of the client certificate
    #[arg(long, value_name = "FILE", requires_all = ["host", "tls_certificate"])]
    tls_key: Option<PathBuf>,
    /// Encrypt, but do not verify the server's certificate (insecure)
    #[arg(long, requires = "host", conflicts_with = "tls_ca")]
    tls_no_verify: bool,
}

impl ClusterArguments {
    /// The options of a connection to these contact points.
    pub(super) fn options(&self, contact_points: &str) -> Result<ConnectionOptions, Failure> {
        let failure = |error: cluster::Error| cluster_failure(&error);
        let mut options =
            ConnectionOptions::from_contact_points(contact_points).map_err(failure)?;
        options.credentials = match (&self.credentials, &self.user) {
            (Some(file), _) => Some(Credentials::from_file(file).map_err(failure)?),
            (None, Some(user)) => Some(ask_for_password(user)?),
            (None, None) => {
                Credentials::from_environment(|name| std::env::var(name).ok()).map_err(failure)?
            }
        };
        let tls = Tls {
            authority: self.tls_ca.clone(),
            client: self.tls_certificate.clone().zip(self.tls_key.clone()),
            trusts_anybody: self.tls_no_verify,
        };
        options.tls = (tls != Tls::default()).then_some(tls);
        Ok(options)
    }
}

/// The password from the environment, or from the terminal.
fn ask_for_password(user: &str) -> Result<Credentials, Failure> {
    let user = user.to_owned();
    if let Ok(password) = std::env::var("HELENUS_PASSWORD") {
        return Ok(Credentials { user, password: Secret::new(password) });
    }
    let no_password = || {
        let message = "set HELENUS_PASSWORD, or use --credentials FILE: there is no terminal to ask for the password";
        Failure::Stopped(Outcome::BadInput, message.to_owned())
    };
    if !io::stdin().is_terminal() {
        return Err(no_password());
    }
    let password = shell::ask_secretly("Password: ").ok_or_else(no_password)?;
    Ok(Credentials { user, password: Secret::new(password) })
}
