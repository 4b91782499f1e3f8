//! What a schema will run on.

/// A product and its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The product.
    pub product: Product,
    /// The version of Apache Cassandra that it is, or that it follows: `(5, 0)`.
    pub version: (u8, u8),
}

/// Products that speak CQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Product {
    /// Apache Cassandra.
    Apache,
    /// DSE and HCD.
    Dse,
    /// Astra.
    Astra,
    /// `ScyllaDB`.
    Scylla,
    /// Amazon Keyspaces.
    Keyspaces,
}

impl Default for Target {
    fn default() -> Self {
        Self { product: Product::Apache, version: (5, 0) }
    }
}

impl Target {
    /// All, by the names of the command line.
    pub const ALL: [(&'static str, Self); 8] = [
        ("apache-5.0", Self::new(Product::Apache, (5, 0))),
        ("apache-4.1", Self::new(Product::Apache, (4, 1))),
        ("apache-4.0", Self::new(Product::Apache, (4, 0))),
        ("apache-3.11", Self::new(Product::Apache, (3, 11))),
        ("dse", Self::new(Product::Dse, (3, 11))),
        ("astra", Self::new(Product::Astra, (4, 0))),
        ("scylla", Self::new(Product::Scylla, (3, 11))),
        ("keyspaces", Self::new(Product::Keyspaces, (3, 11))),
    ];

    const fn new(product: Product, version: (u8, u8)) -> Self {
        Self { product, version }
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, target)| *target == self).map_or("apache-5.0", |(name, _)| name)
    }

    /// Whether it is Apache Cassandra of this version or a later one.
    pub(crate) fn is_apache_from(self, version: (u8, u8)) -> bool {
        self.product == Product::Apache && self.version >= version
    }
}
