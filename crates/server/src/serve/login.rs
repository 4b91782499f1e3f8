//! Credentials in SASL PLAIN (RFC 4616): `authorization NUL name NUL password`.

use wire::{ErrorKind, ErrorMessage};

use super::login_service::Credentials;

/// Parses name and password. The authorization identity is ignored.
pub(super) fn parse_credentials(token: &[u8]) -> Result<Credentials, ErrorMessage> {
    let refuse = |message: &str| Err(ErrorMessage::new(ErrorKind::BadCredentials, message));
    let mut parts = token.rsplit(|byte| *byte == 0);
    let (last, name, first, more) = (parts.next(), parts.next(), parts.next(), parts.next());
    if more.is_some() {
        return refuse(
            "Credential format error: username or password is empty or contains NUL(\\0) character",
        );
    }
    // The text before the first NUL is neither name nor password.
    let password = last.filter(|_| name.is_some()).unwrap_or_default();
    let name = name.filter(|_| first.is_some()).unwrap_or_default();
    if password.is_empty() {
        return refuse("Password must not be null");
    }
    if name.is_empty() {
        return refuse("User ID must not be null");
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Credentials { name: text(name), password: text(password) })
}

#[cfg(test)]
mod tests {
    use super::parse_credentials;

    #[test]
    fn plain_credentials() {
        let read = |token: &[u8]| {
            parse_credentials(token)
                .map(|found| (found.name, found.password))
                .map_err(|error| error.message)
        };
        let both = Ok(("bob".to_owned(), "secret".to_owned()));
        assert_eq!(read(b"\0bob\0secret"), both);
        assert_eq!(read(b"someone\0bob\0secret"), both);
        assert_eq!(read(b"\0bob\0"), Err("Password must not be null".to_owned()));
        assert_eq!(read(b"\0\0secret"), Err("User ID must not be null".to_owned()));
        assert_eq!(read(b"bob\0secret"), Err("User ID must not be null".to_owned()));
        assert_eq!(read(b"secret"), Err("Password must not be null".to_owned()));
        assert_eq!(read(b""), Err("Password must not be null".to_owned()));
        assert!(read(b"\0a\0bob\0secret").is_err());
    }
}
