/// The order of CQL, with null as the greatest value.
pub trait CqlOrder {
    /// Compares two values.
    fn compare(&self, other: &Self) -> Ordering;
}

macro_rules! order_as_rust_does {
    ($($ty:ty),*) => {
        $(impl CqlOrder for $ty {
            fn compare(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        })*
    };
}

order_as_rust_does!(bool, u8, i8, i16, i32, i64, String, CqlTimestamp, CqlTimeuuid, ());

impl CqlOrder for CqlDate {
    fn compare(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl CqlOrder for CqlTime {
    fn compare(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl CqlOrder for CqlDuration {
    fn compare(&self, other: &Self) -> Ordering {
        let parts = |it: &Self| (it.months, it.days, it.nanoseconds);
        parts(self).cmp(&parts(other))
    }
}

impl CqlOrder for f64 {
    fn compare(&self, other: &Self) -> Ordering {
        // NaN is the greatest and equals itself; zeros of both signs are equal.
        self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }
}

impl CqlOrder for f32 {
    fn compare(&self, other: &Self) -> Ordering {
        f64::from(*self).compare(&f64::from(*other))
    }
}

impl CqlOrder for Uuid {
    fn compare(&self, other: &Self) -> Ordering {
        // As the server does: by version, those of version 1 by their time.
        let key = |id: &Self| {
            let (high, low) = id.as_u64_pair();
            let time = (high << 48) | ((high & 0xffff_0000) << 16) | (high >> 32);
            let version = (high >> 12) & 0xf;
            (version, if version == 1 { time } else { high }, low)
        };
        key(self).cmp(&key(other))
    }
}

impl CqlOrder for IpAddr {
    fn compare(&self, other: &Self) -> Ordering {
        let bytes = |it: &Self| match it {
            Self::V4(address) => address.octets().to_vec(),
            Self::V6(address) => address.octets().to_vec(),
        };
        bytes(self).cmp(&bytes(other))
    }
}

impl<T: CqlOrder> CqlOrder for Option<T> {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Some(one), Some(other)) => one.compare(other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        }
    }
}

/// The first parts that differ decide, else the numbers of parts.
fn compare_parts<'p, T: CqlOrder + 'p>(
    one: impl ExactSizeIterator<Item = &'p T>,
    other: impl ExactSizeIterator<Item = &'p T>,
) -> Ordering {
    let lengths = one.len().cmp(&other.len());
    let parts = one.zip(other).map(|(one, other)| one.compare(other));
    parts.fold(Ordering::Equal, Ordering::then).then(lengths)
}

impl<T: CqlOrder> CqlOrder for Vec<T> {
    fn compare(&self, other: &Self) -> Ordering {
        compare_parts(self.iter(), other.iter())
    }
}

impl<T: CqlOrder> CqlOrder for BTreeSet<T> {
    fn compare(&self, other: &Self) -> Ordering {
        compare_parts(self.iter(), other.iter())
    }
}

impl<K: CqlOrder, V: CqlOrder> CqlOrder for BTreeMap<K, V> {
    fn compare(&self, other: &Self) -> Ordering {
        let keys = compare_parts(self.keys(), other.keys());
        keys.then_with(|| compare_parts(self.values(), other.values()))
    }
}

macro_rules! order_tuple {
    ($($part:ident $at:tt),+) => {
        impl<$($part: CqlOrder),+> CqlOrder for ($($part,)+) {
            fn compare(&self, other: &Self) -> Ordering {
                let order = Ordering::Equal;
                $(let order = order.then_with(|| self.$at.compare(&other.$at));)+
                order
            }
        }
    };
}

order_tuple!(A 0);
order_tuple!(A 0, B 1);
order_tuple!(A 0, B 1, C 2);
order_tuple!(A 0, B 1, C 2, D 3);
order_tuple!(A 0, B 1, C 2, D 3, E 4);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
order_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);

/// The comparison of two values; null where one of them is null.
pub fn compare<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> Option<Ordering> {
    Some(one?.compare(other?))
}

/// Whether two values differ; null equals null.
pub fn differ<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.compare(other).is_ne(),
        (one, other) => one.is_some() != other.is_some(),
    }
}

/// Whether two values are equal, and neither is null.
pub fn equals<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_eq)
}

/// Whether two values are not equal, and neither is null.
pub fn is_other<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_ne)
}

/// Whether a value is less than another one.
pub fn is_less<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_lt)
}

/// Whether a value is less than another one, or equal.
pub fn is_at_most<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_le)
}

/// Whether a value is greater than another one.
pub fn is_greater<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_gt)
}

/// Whether a value is greater than another one, or equal.
pub fn is_at_least<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> bool {
    compare(one, other).is_some_and(Ordering::is_ge)
}

/// The order of two values, with null as the greatest.
pub fn order_values<T: CqlOrder>(one: Option<&T>, other: Option<&T>) -> Ordering {
    compare(one, other).unwrap_or_else(|| one.is_none().cmp(&other.is_none()))
}

/// Compares the parts of two rows: the first ones that differ decide; null where one is null.
pub fn compare_rows(parts: &[Option<Ordering>]) -> Option<Ordering> {
    for part in parts {
        match part {
            Some(Ordering::Equal) => {}
            decided => return *decided,
        }
    }
    Some(Ordering::Equal)
}

/// An array: its elements, in order.
pub trait Elements<T> {
    /// The elements.
    fn to_elements(&self) -> Vec<T>;
    /// An array of these elements.
    fn from_elements(elements: Vec<T>) -> Self;
}

impl<T: Clone> Elements<T> for Vec<T> {
    fn to_elements(&self) -> Vec<T> {
        self.clone()
    }

    fn from_elements(elements: Vec<T>) -> Self {
        elements
    }
}

impl<T: Clone + Ord> Elements<T> for BTreeSet<T> {
    fn to_elements(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }

    fn from_elements(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

/// The elements of an array, each once; none of null.
pub fn distinct_elements<A: Elements<T>, T: CqlOrder + Clone>(array: Option<&A>) -> Vec<T> {
    let elements = array.map(A::to_elements).unwrap_or_default();
    distinct(elements.into_iter().map(Some))
}

/// Whether an array holds an element; not where one is null.
pub fn holds<A: Elements<T>, T: CqlOrder>(array: Option<&A>, element: Option<&T>) -> bool {
    let (Some(array), Some(element)) = (array, element) else { return false };
    array.to_elements().iter().any(|one| one.compare(element).is_eq())
}

/// An array of one element.
pub fn to_singleton<A: Elements<T>, T>(element: Option<T>) -> Option<A> {
    element.map(|element| A::from_elements(vec![element]))
}

/// An array of all elements; null without any.
pub fn collect_elements<A: Elements<T>, T>(elements: Vec<T>) -> Option<A> {
    (!elements.is_empty()).then(|| A::from_elements(elements))
}

/// An array with an element at its end.
pub fn append<A: Elements<T>, T>(array: Option<A>, element: Option<T>) -> Option<A> {
    let mut elements = array.map(|array| array.to_elements()).unwrap_or_default();
    elements.extend(element);
    Some(A::from_elements(elements))
}

/// An array without the elements that equal a value.
pub fn remove<A: Elements<T>, T: CqlOrder>(array: Option<A>, element: Option<T>) -> Option<A> {
    let (array, Some(element)) = (array.as_ref()?, &element) else { return array };
    let mut elements = array.to_elements();
    elements.retain(|one| one.compare(element).is_ne());
    Some(A::from_elements(elements))
}

/// The elements of an array in another form of array.
pub fn convert_elements<A: Elements<T>, B: Elements<T>, T>(array: Option<A>) -> Option<B> {
    array.map(|array| B::from_elements(array.to_elements()))
}

/// SQL's AND.
pub fn and(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// SQL's OR.
pub fn or(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// SQL's NOT.
pub fn not(value: Option<bool>) -> Option<bool> {
    value.map(|truth| !truth)
}

/// Whether a check is met: it is not where it cannot be computed.
pub fn is_met(check: impl FnOnce() -> Result<Option<bool>, OutOfRange>) -> bool {
    check().is_ok_and(|truth| truth != Some(false))
}

/// The least (or greatest) of two values; the other one where one is null.
pub fn choose<T: CqlOrder>(one: Option<T>, other: Option<T>, wanted: Ordering) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) if other.compare(&one) == wanted => Some(other),
        (Some(one), _) => Some(one),
        (None, other) => other,
    }
}

