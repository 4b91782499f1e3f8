"""Encrypted connections, with a certificate of the client if one is given."""

import ssl

from asking import *

context = ssl.create_default_context(cafile=sys.argv[3])
context.check_hostname = False
if len(sys.argv) > 4:
    context.load_cert_chain(sys.argv[4], sys.argv[5])
for version in (4, 5):
    session = fresh(f"clients_encrypted_{version}", ssl_context=context, protocol_version=version)
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v blob)")
    value = bytes(range(256)) * 10_000
    session.execute("INSERT INTO t (k, v) VALUES (1, %s)", (value,))
    assert session.execute("SELECT v FROM t").one()[0] == value
    for encrypted, protocol, suite in rows(session, "SELECT ssl_enabled, ssl_protocol, ssl_cipher_suite FROM system_views.clients"):
        assert encrypted and protocol.startswith("TLSv1.") and suite.startswith("TLS_"), (encrypted, protocol, suite)
done()
