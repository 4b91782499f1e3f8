//! The imports of a file: those of the classes that its text names.

use std::collections::BTreeSet;

/// The classes that generated code uses.
const CLASSES: &[&str] = &[
    "com.datastax.oss.driver.api.core.CqlIdentifier",
    "com.datastax.oss.driver.api.core.CqlSession",
    "com.datastax.oss.driver.api.core.CqlSessionBuilder",
    "com.datastax.oss.driver.api.core.DefaultConsistencyLevel",
    "com.datastax.oss.driver.api.core.ProtocolVersion",
    "com.datastax.oss.driver.api.core.config.DefaultDriverOption",
    "com.datastax.oss.driver.api.core.config.DriverConfigLoader",
    "com.datastax.oss.driver.api.core.cql.BatchType",
    "com.datastax.oss.driver.api.core.cql.Row",
    "com.datastax.oss.driver.api.core.data.CqlDuration",
    "com.datastax.oss.driver.api.core.data.CqlVector",
    "com.datastax.oss.driver.api.core.data.TupleValue",
    "com.datastax.oss.driver.api.core.type.DataTypes",
    "com.datastax.oss.driver.api.core.type.codec.TypeCodec",
    "com.datastax.oss.driver.api.core.type.codec.TypeCodecs",
    "com.datastax.oss.driver.api.core.uuid.Uuids",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.net.InetAddress",
    "java.nio.ByteBuffer",
    "java.time.Instant",
    "java.time.LocalDate",
    "java.time.LocalTime",
    "java.util.ArrayList",
    "java.util.Collection",
    "java.util.Collections",
    "java.util.Comparator",
    "java.util.List",
    "java.util.Map",
    "java.util.Objects",
    "java.util.Optional",
    "java.util.Set",
    "java.util.UUID",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.CompletionStage",
    "java.util.function.Supplier",
];

/// A file of a package: header, imports and text.
pub(super) fn print_file(header: &str, package: &str, text: &str) -> String {
    let words = list_words(text);
    let used = CLASSES
        .iter()
        .filter(|class| class.rsplit('.').next().is_some_and(|name| words.contains(name)));
    let imports: String = used.map(|class| format!("import {class};\n")).collect();
    let gap = if imports.is_empty() { "" } else { "\n" };
    format!("// {header}\npackage {package};\n\n{imports}{gap}{text}")
}

/// The identifiers of the code; not those of comments and texts, nor members of others.
fn list_words(text: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim_start();
        if line.starts_with('*') || line.starts_with("/*") || line.starts_with("//") {
            continue;
        }
        for (at, code) in line.split('"').enumerate() {
            if at % 2 == 0 {
                let is_word = |it: char| it.is_alphanumeric() || it == '_';
                words.extend(
                    code.split(|it: char| !is_word(it) && it != '.').filter_map(first_part),
                );
            }
        }
    }
    words
}

/// The first of names that are divided by points.
fn first_part(path: &str) -> Option<&str> {
    path.split('.').next().filter(|part| !part.is_empty())
}
