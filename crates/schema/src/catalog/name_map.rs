//! [`NameMap`]: objects by name, shared between versions of the catalog.

use std::fmt;

use byte_map::{ByteMap, Range};

/// Objects by name, in the order of their names. A clone shares all of them and takes constant
/// time, so that a catalog of thousands of tables is not copied for each of them.
pub struct NameMap<V>(ByteMap<V>);

impl<V> NameMap<V> {
    /// The number of objects.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object with that name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.0.get(name.as_bytes())
    }

    /// Whether there is an object with that name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The names and objects in order.
    pub fn iter(&self) -> NamedObjects<'_, V> {
        NamedObjects(self.0.iter())
    }

    /// The names in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> + Clone {
        self.iter().map(|(name, _)| name)
    }

    /// The objects in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<V: Clone> NameMap<V> {
    /// Adds or replaces an object.
    pub fn insert(&mut self, name: impl AsRef<str>, value: V) {
        self.0.insert(name.as_ref().as_bytes(), value);
    }

    /// The object with that name, to be changed.
    pub fn value_mut(&mut self, name: &str) -> Option<&mut V> {
        self.0.value_mut(name.as_bytes())
    }

    /// Changes every object that `change` returns another for.
    pub fn replace_values(&mut self, change: impl Fn(&V) -> Option<V>) {
        for (name, value) in &self.clone() {
            if let Some(other) = change(value) {
                self.insert(name, other);
            }
        }
    }

    /// Removes and returns an object.
    pub fn remove(&mut self, name: &str) -> Option<V> {
        self.0.remove(name.as_bytes())
    }
}

impl<V> Clone for NameMap<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for NameMap<V> {
    fn default() -> Self {
        Self(ByteMap::default())
    }
}

impl<V: fmt::Debug> fmt::Debug for NameMap<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<V: PartialEq> PartialEq for NameMap<V> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: AsRef<str>, V: Clone> FromIterator<(K, V)> for NameMap<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        for (name, value) in entries {
            map.insert(name, value);
        }
        map
    }
}

impl<'a, V> IntoIterator for &'a NameMap<V> {
    type Item = (&'a str, &'a V);
    type IntoIter = NamedObjects<'a, V>;

    fn into_iter(self) -> NamedObjects<'a, V> {
        self.iter()
    }
}

/// The names and objects of a [`NameMap`].
#[derive(Debug)]
pub struct NamedObjects<'a, V>(Range<'a, V>);

impl<V> Clone for NamedObjects<'_, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, V> Iterator for NamedObjects<'a, V> {
    type Item = (&'a str, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.0.next()?;
        // Only names are inserted, which are valid UTF-8.
        Some((std::str::from_utf8(name).unwrap_or_default(), value))
    }
}
