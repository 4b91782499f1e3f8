/// A map whose keys have no order in Rust, as pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CqlPairs<K, V>(pub Vec<(K, V)>);

impl<K: CqlOrder, V: CqlOrder> CqlOrder for CqlPairs<K, V> {
    fn compare(&self, other: &Self) -> Ordering {
        compare_parts(self.0.iter(), other.0.iter())
    }
}

impl<K: SerializeValue, V: SerializeValue> SerializeValue for CqlPairs<K, V> {
    fn serialize<'b>(
        &self,
        ty: &ColumnType<'_>,
        writer: CellWriter<'b>,
    ) -> Result<WrittenCellProof<'b>, SerializationError> {
        let ColumnType::Collection { typ: CollectionType::Map(key, value), .. } = ty else {
            return Err(SerializationError::new(NoMap));
        };
        let count = i32::try_from(self.0.len()).map_err(SerializationError::new)?;
        let mut builder = writer.into_value_builder();
        builder.append_bytes(&count.to_be_bytes());
        for pair in &self.0 {
            pair.0.serialize(key, builder.make_sub_writer())?;
            pair.1.serialize(value, builder.make_sub_writer())?;
        }
        builder.finish().map_err(SerializationError::new)
    }
}

impl<'f, 'm, K, V> DeserializeValue<'f, 'm> for CqlPairs<K, V>
where
    K: DeserializeValue<'f, 'm>,
    V: DeserializeValue<'f, 'm>,
{
    fn type_check(ty: &ColumnType<'_>) -> Result<(), TypeCheckError> {
        MapIterator::<'f, 'm, K, V>::type_check(ty)
    }

    fn deserialize(
        ty: &'m ColumnType<'m>,
        value: Option<FrameSlice<'f>>,
    ) -> Result<Self, DeserializationError> {
        let pairs: Result<_, _> = MapIterator::<'f, 'm, K, V>::deserialize(ty, value)?.collect();
        pairs.map(Self)
    }
}

/// The column is not a map.
#[derive(Debug)]
struct NoMap;

impl fmt::Display for NoMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the column is not a map")
    }
}

impl Error for NoMap {}

impl CqlOrder for CqlVarint {
    fn compare(&self, other: &Self) -> Ordering {
        to_big(self).cmp(&to_big(other))
    }
}

impl CqlOrder for CqlDecimal {
    fn compare(&self, other: &Self) -> Ordering {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let scale = one.scale.max(other.scale);
        one.rescale(scale).cmp(&other.rescale(scale))
    }
}

fn to_big(value: &CqlVarint) -> BigInt {
    BigInt::from_signed_bytes_be(value.as_signed_bytes_be_slice())
}

fn from_big(value: &BigInt) -> CqlVarint {
    CqlVarint::from_signed_bytes_be(value.to_signed_bytes_be())
}

/// `unscaled` x 10^-`scale`.
struct BigDecimal {
    unscaled: BigInt,
    scale: i64,
}

impl BigDecimal {
    fn new(value: &CqlDecimal) -> Self {
        let (unscaled, scale) = value.as_signed_be_bytes_slice_and_exponent();
        Self { unscaled: BigInt::from_signed_bytes_be(unscaled), scale: scale.into() }
    }

    /// The digits at another scale, which is not smaller.
    fn rescale(&self, scale: i64) -> BigInt {
        let power = u32::try_from(scale - self.scale).unwrap_or_default();
        &self.unscaled * BigInt::from(10).pow(power)
    }

    /// Without zeros at the end.
    fn to_cql(&self) -> Option<CqlDecimal> {
        let (mut unscaled, mut scale) = (self.unscaled.clone(), self.scale);
        let ten = BigInt::from(10);
        while scale > 0 && (&unscaled % &ten) == BigInt::ZERO {
            unscaled /= &ten;
            scale -= 1;
        }
        let scale = i32::try_from(scale).ok()?;
        let bytes = unscaled.to_signed_bytes_be();
        Some(CqlDecimal::from_signed_be_bytes_and_exponent(bytes, scale))
    }

    /// With so many digits after the point, halves away from zero.
    fn round(self, digits: u32) -> Self {
        let scale = i64::from(digits);
        if self.scale <= scale {
            return self;
        }
        let unit = BigInt::from(10).pow(u32::try_from(self.scale - scale).unwrap_or_default());
        let half: BigInt = &unit / 2;
        let moved =
            if self.unscaled < BigInt::ZERO { self.unscaled - half } else { self.unscaled + half };
        Self { unscaled: moved / unit, scale }
    }
}

impl Number for CqlDecimal {
    fn add(&self, other: &Self) -> Option<Self> {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let scale = one.scale.max(other.scale);
        BigDecimal { unscaled: one.rescale(scale) + other.rescale(scale), scale }.to_cql()
    }

    fn subtract(&self, other: &Self) -> Option<Self> {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let scale = one.scale.max(other.scale);
        BigDecimal { unscaled: one.rescale(scale) - other.rescale(scale), scale }.to_cql()
    }

    fn multiply(&self, other: &Self) -> Option<Self> {
        let (one, other) = (BigDecimal::new(self), BigDecimal::new(other));
        let unscaled = one.unscaled * other.unscaled;
        BigDecimal { unscaled, scale: one.scale + other.scale }.to_cql()
    }

    fn absolute(&self) -> Option<Self> {
        let value = BigDecimal::new(self);
        let unscaled = value.unscaled.magnitude().clone().into();
        BigDecimal { unscaled, scale: value.scale }.to_cql()
    }

    fn to_double(&self) -> f64 {
        let value = BigDecimal::new(self);
        format!("{}e{}", value.unscaled, -value.scale).parse().unwrap_or(f64::NAN)
    }
}

impl Number for CqlVarint {
    fn add(&self, other: &Self) -> Option<Self> {
        Some(from_big(&(to_big(self) + to_big(other))))
    }

    fn subtract(&self, other: &Self) -> Option<Self> {
        Some(from_big(&(to_big(self) - to_big(other))))
    }

    fn multiply(&self, other: &Self) -> Option<Self> {
        Some(from_big(&(to_big(self) * to_big(other))))
    }

    fn absolute(&self) -> Option<Self> {
        Some(from_big(&to_big(self).magnitude().clone().into()))
    }

    fn to_double(&self) -> f64 {
        to_big(self).to_string().parse().unwrap_or(f64::NAN)
    }
}

/// A decimal of digits, perhaps with a point and an exponent.
pub fn parse_decimal(text: &str) -> Option<CqlDecimal> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let unscaled: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    let bytes = unscaled.to_signed_bytes_be();
    Some(CqlDecimal::from_signed_be_bytes_and_exponent(bytes, scale))
}

/// A `varint` of digits.
pub fn parse_varint(text: &str) -> Option<CqlVarint> {
    text.parse().ok().map(|value| from_big(&value))
}

/// A whole number as `varint`.
pub fn to_varint<T: Into<BigInt>>(value: Option<T>) -> Option<CqlVarint> {
    value.map(|value| from_big(&value.into()))
}

/// A `varint` as a number of 64 bits.
pub fn from_varint(value: Option<CqlVarint>) -> Computed<i64> {
    value.map(|value| i64::try_from(to_big(&value))).transpose().map_err(|_| OutOfRange)
}

/// A whole number as `decimal`.
pub fn to_decimal<T: Into<BigInt>>(value: Option<T>) -> Option<CqlDecimal> {
    let unscaled = value?.into().to_signed_bytes_be();
    Some(CqlDecimal::from_signed_be_bytes_and_exponent(unscaled, 0))
}

/// A `varint` as `decimal`.
pub fn varint_to_decimal(value: Option<CqlVarint>) -> Option<CqlDecimal> {
    let unscaled = value?.into_signed_bytes_be();
    Some(CqlDecimal::from_signed_be_bytes_and_exponent(unscaled, 0))
}

/// A fraction as `decimal`, in its shortest digits.
pub fn double_to_decimal(value: Option<f64>) -> Option<CqlDecimal> {
    parse_decimal(&value?.to_string())
}

/// A decimal as a whole number, halves away from zero.
pub fn decimal_to_whole(value: Option<CqlDecimal>) -> Computed<i64> {
    let Some(value) = value else { return Ok(None) };
    let rounded = BigDecimal::new(&value).round(0);
    i64::try_from(rounded.rescale(0)).map(Some).map_err(|_| OutOfRange)
}

/// A decimal, rounded to so many digits after the point, halves away from zero.
pub fn round(value: Option<CqlDecimal>, digits: u32) -> Option<CqlDecimal> {
    BigDecimal::new(&value?).round(digits).to_cql()
}

/// A decimal without an exponent, as text.
pub fn decimal_to_text(value: Option<CqlDecimal>) -> Option<String> {
    let value = BigDecimal::new(&value?);
    let unscaled = value.rescale(value.scale.max(0));
    let sign = if unscaled < BigInt::ZERO { "-" } else { "" };
    let scale = usize::try_from(value.scale).unwrap_or_default();
    let digits = format!("{:0>width$}", unscaled.magnitude().to_string(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let point = if scale == 0 { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}"))
}
