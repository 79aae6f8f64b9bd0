"""What Neo4j and its JVM are told: pure functions from our values to their files.

Sources: Neo4j 5 operations manual, "Configuration settings"; the JVM flags are those of the `neo4j.conf` that Neo4j
ships, less the ones that need more memory than they are worth on a laptop.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tem_graph.server.model import LOOPBACK, USERNAME, Memory, Ports

ENTRY_POINT = "org.neo4j.server.CommunityEntryPoint"

HASH_ROUNDS = 1024
"""Rounds of SHA-256 that Neo4j 5 puts a password through (its `SecureHasher`, version "1")."""

JVM_FLAGS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+DisableExplicitGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+TrustFinalNonStaticFields",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.tls.ephemeralDHKeySize=2048",
    "-Djdk.tls.rejectClientInitiatedRenegotiation=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)


def neo4j_conf(ports: Ports, memory: Memory) -> str:
    """The text of `neo4j.conf`: loopback only, password required, no usage report, small files."""
    settings = {
        "server.default_listen_address": LOOPBACK,
        "server.default_advertised_address": LOOPBACK,
        "server.bolt.listen_address": f"{LOOPBACK}:{ports.bolt}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{ports.bolt}",
        "server.http.listen_address": f"{LOOPBACK}:{ports.http}",
        "server.http.advertised_address": f"{LOOPBACK}:{ports.http}",
        "server.http_enabled_modules": "TRANSACTIONAL_ENDPOINTS,UNMANAGED_EXTENSIONS,BROWSER",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": "true",
        # A stranger's LOAD CSV must not read this machine's files or call out.
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",  # of Neo4j Browser, which asks the server for it
        "server.memory.heap.initial_size": memory.heap,
        "server.memory.heap.max_size": memory.heap,
        "server.memory.pagecache.size": memory.pagecache,
        # Else two databases take 512 MB of transaction log before the first fact.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "keep_none",
        "db.logs.query.enabled": "OFF",
        # Databases are closed by then; the default makes every stop five seconds longer for clients that are not there.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def java_arguments(jars: Sequence[Path], memory: Memory, separator: str) -> str:
    """The text of a Java argument file (`java @file`): flags and class path, too long for some command lines."""
    class_path = separator.join(str(jar) for jar in jars)
    flags = [*JVM_FLAGS, f"-Xmx{memory.heap}"]
    return "\n".join([*flags, "-cp", _quoted(class_path)]) + "\n"


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def initial_user(password: str, salt: bytes) -> str:
    """The text of `auth.ini`, from which a fresh Neo4j takes its first user.

    The form is the one that `neo4j-admin dbms set-initial-password` writes; it is written here so that the password
    never stands on a command line. `salt` is 32 random bytes.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(HASH_ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{USERNAME}:SHA-256,{digest.hex()},{salt.hex()},{HASH_ROUNDS}:\n"
