// @HEADER@
package @PACKAGE@;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Values that the client computes, for the functions of this package. It is not for callers. Unless
 * something else is said, a value is null where a part of it is null.
 */
final class Values {
    private static final long OLDEST_WINS = 1L << 52;
    private static final long DAY_MILLIS = 86_400_000L;

    private Values() {}

    // Bytes.

    /** The bytes of a value. */
    @SuppressWarnings("unchecked")
    static <T> ByteBuffer encode(TypeCodec<T> codec, Object value, ProtocolVersion protocol) {
        return codec.encode((T) value, protocol);
    }

    /** A value of an array of values. */
    @SuppressWarnings("unchecked")
    static <T> T cast(Object value) {
        return (T) value;
    }

    /** A value of a column that the model declares NOT NULL. */
    static <T> T present(T value, String column) {
        if (value == null) {
            throw new IllegalStateException("The column " + column + " is null, although the model says NOT NULL");
        }
        return value;
    }

    /** The values of a user type, one after the other, each with its length. */
    abstract static class UserTypeCodec<T> implements TypeCodec<T> {
        private final GenericType<T> type;
        private final TypeCodec<?>[] fields;

        UserTypeCodec(Class<T> type, TypeCodec<?>... fields) {
            this.type = GenericType.of(type);
            this.fields = fields;
        }

        /** The values of the fields, in order. */
        abstract Object[] split(T value);

        /** The value of these fields. */
        abstract T join(Object... values);

        @Override
        public GenericType<T> getJavaType() {
            return type;
        }

        @Override
        public DataType getCqlType() {
            return DataTypes.custom("org.apache.cassandra.db.marshal.UserType");
        }

        @Override
        public ByteBuffer encode(T value, ProtocolVersion protocol) {
            if (value == null) {
                return null;
            }
            Object[] values = split(value);
            ByteBuffer[] parts = new ByteBuffer[values.length];
            int size = 0;
            for (int at = 0; at < values.length; at++) {
                parts[at] = values[at] == null ? null : Values.encode(fields[at], values[at], protocol);
                size += 4 + (parts[at] == null ? 0 : parts[at].remaining());
            }
            ByteBuffer bytes = ByteBuffer.allocate(size);
            for (ByteBuffer part : parts) {
                bytes.putInt(part == null ? -1 : part.remaining());
                if (part != null) {
                    bytes.put(part.duplicate());
                }
            }
            return bytes.flip();
        }

        @Override
        public T decode(ByteBuffer bytes, ProtocolVersion protocol) {
            if (bytes == null || bytes.remaining() == 0) {
                return null;
            }
            ByteBuffer rest = bytes.duplicate();
            Object[] values = new Object[fields.length];
            for (int at = 0; at < fields.length && rest.hasRemaining(); at++) {
                int length = rest.getInt();
                if (length >= 0) {
                    ByteBuffer part = rest.slice(rest.position(), length);
                    rest.position(rest.position() + length);
                    values[at] = fields[at].decode(part, protocol);
                }
            }
            return join(values);
        }

        @Override
        public String format(T value) {
            return String.valueOf(value);
        }

        @Override
        public T parse(String text) {
            throw new UnsupportedOperationException("a user type is not read from text");
        }
    }

    // Order.

    /** Texts by code points, as their UTF-8 bytes are ordered. */
    static final Comparator<String> TEXT = (one, other) -> {
        int end = Math.min(one.length(), other.length());
        for (int at = 0; at < end; at++) {
            char left = one.charAt(at);
            char right = other.charAt(at);
            if (left != right) {
                // Surrogates, of which two make a code point above U+FFFF, come last.
                boolean isLeftHigh = Character.isSurrogate(left);
                boolean isRightHigh = Character.isSurrogate(right);
                return isLeftHigh == isRightHigh ? Character.compare(left, right) : isLeftHigh ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    };

    /** Ids by version, those of version 1 by time, all others by their bytes. */
    static final Comparator<UUID> ID = (one, other) -> {
        int order = Integer.compare(one.version(), other.version());
        if (order == 0) {
            order = one.version() == 1
                    ? Long.compareUnsigned(ticks(one), ticks(other))
                    : Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        }
        return order != 0
                ? order
                : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    };

    /** Time-based ids by time, then by their signed bytes. */
    static final Comparator<UUID> TIME_ID = (one, other) -> {
        int order = Long.compareUnsigned(ticks(one), ticks(other));
        long flip = 0x0080_8080_8080_8080L;
        return order != 0
                ? order
                : Long.compare(one.getLeastSignificantBits() ^ flip, other.getLeastSignificantBits() ^ flip);
    };

    /** Bytes, unsigned. */
    static final Comparator<ByteBuffer> BYTES = Values::compareBytes;

    /** Addresses by their bytes. */
    static final Comparator<InetAddress> ADDRESS =
            (one, other) -> Arrays.compareUnsigned(one.getAddress(), other.getAddress());

    private static int compareBytes(ByteBuffer one, ByteBuffer other) {
        int end = Math.min(one.remaining(), other.remaining());
        for (int at = 0; at < end; at++) {
            int order = Byte.compareUnsigned(one.get(one.position() + at), other.get(other.position() + at));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.remaining(), other.remaining());
    }

    /** The order of a type that is compared by its bytes. */
    static <T> Comparator<T> byBytes(TypeCodec<T> codec) {
        return (one, other) -> compareBytes(
                codec.encode(one, ProtocolVersion.DEFAULT), codec.encode(other, ProtocolVersion.DEFAULT));
    }

    /** Lists by their first elements that differ. */
    static <T> Comparator<List<T>> lists(Comparator<? super T> order) {
        return (one, other) -> {
            for (int at = 0; at < Math.min(one.size(), other.size()); at++) {
                int found = order.compare(one.get(at), other.get(at));
                if (found != 0) {
                    return found;
                }
            }
            return Integer.compare(one.size(), other.size());
        };
    }

    /** Rows by a value; nulls are the greatest. */
    static <R, T> Comparator<R> by(Function<? super R, ? extends T> value, Comparator<? super T> order) {
        Comparator<T> nullsLast = Comparator.nullsLast(order);
        return (one, other) -> nullsLast.compare(value.apply(one), value.apply(other));
    }

    /** Whether a value is less than another one; not where one is null. */
    static <T> boolean isLess(T one, T other, Comparator<? super T> order) {
        return one != null && other != null && order.compare(one, other) < 0;
    }

    /** Whether a value is at most another one; not where one is null. */
    static <T> boolean isAtMost(T one, T other, Comparator<? super T> order) {
        return one != null && other != null && order.compare(one, other) <= 0;
    }

    /** Whether two values are the same; not where one is null. */
    static boolean isEqual(Object one, Object other) {
        return one != null && other != null && toKey(one).equals(toKey(other));
    }

    /** Whether two values differ: null equals null. */
    static boolean differ(Object one, Object other) {
        return one == null ? other != null : !isEqual(one, other);
    }

    /** Whether an array holds an element. */
    static boolean holds(Collection<?> array, Object element) {
        return array != null && array.stream().anyMatch(one -> isEqual(one, element));
    }

    /** Whether a value is one of these. */
    static boolean isIn(Object value, Object... others) {
        return Arrays.stream(others).anyMatch(other -> isEqual(value, other));
    }

    /** Whether a text begins with another one. */
    static boolean startsWith(String text, String prefix) {
        return text != null && prefix != null && text.startsWith(prefix);
    }

    /** The comparison of two values, or null where it is not known: the first ones that differ. */
    static <T> Integer step(Integer before, T one, T other, Comparator<? super T> order) {
        if (before == null || before != 0) {
            return before;
        }
        return one == null || other == null ? null : Integer.valueOf(order.compare(one, other));
    }

    /** Whether a comparison that is known has one of these results. */
    static boolean isOrder(Integer order, boolean less, boolean equal, boolean greater) {
        return order != null && (order < 0 ? less : order == 0 ? equal : greater);
    }

    /** A value as a key of a map: equal values have equal keys. */
    private static Object toKey(Object value) {
        if (value instanceof BigDecimal number) {
            return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
        }
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        return value;
    }

    /** The values of a group; nulls are equal. */
    static List<Object> group(Object... values) {
        List<Object> key = new ArrayList<>(values.length);
        for (Object value : values) {
            key.add(toKey(value));
        }
        return key;
    }

    /** Rows by group, in the order of the first ones. */
    static <R> Collection<List<R>> groups(List<R> rows, Function<? super R, List<Object>> key) {
        Map<List<Object>, List<R>> groups = new LinkedHashMap<>();
        for (R row : rows) {
            groups.computeIfAbsent(key.apply(row), group -> new ArrayList<>()).add(row);
        }
        return groups.values();
    }

    /** Values without nulls, each once. */
    static <T> Collection<T> distinct(Collection<? extends T> values) {
        Map<Object, T> distinct = new LinkedHashMap<>();
        if (values != null) {
            for (T value : values) {
                if (value != null) {
                    distinct.putIfAbsent(toKey(value), value);
                }
            }
        }
        return distinct.values();
    }

    /** A list that may have nulls. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    static <T> List<T> listOf(T... values) {
        return Arrays.asList(values);
    }

    /** The numbers below a count. */
    static List<Integer> shards(int count) {
        List<Integer> shards = new ArrayList<>(count);
        for (int shard = 0; shard < count; shard++) {
            shards.add(shard);
        }
        return shards;
    }

    /** The first row, or null. */
    static <R> R first(List<R> rows) {
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** A column of a row, or null where there is no row. */
    static <R, T> T get(R row, Function<? super R, ? extends T> column) {
        return row == null ? null : column.apply(row);
    }

    // Truth.

    /** Whether a truth value is true or null, and can be computed. */
    static boolean isMet(Supplier<Boolean> condition) {
        try {
            return !Boolean.FALSE.equals(condition.get());
        } catch (ArithmeticException error) {
            return false;
        }
    }

    static boolean isTrue(Boolean value) {
        return Boolean.TRUE.equals(value);
    }

    static Boolean and(Boolean one, Boolean other) {
        if (Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other)) {
            return Boolean.FALSE;
        }
        return one == null || other == null ? null : Boolean.TRUE;
    }

    static Boolean or(Boolean one, Boolean other) {
        if (Boolean.TRUE.equals(one) || Boolean.TRUE.equals(other)) {
            return Boolean.TRUE;
        }
        return one == null || other == null ? null : Boolean.FALSE;
    }

    static Boolean not(Boolean value) {
        return value == null ? null : Boolean.valueOf(!value);
    }

    /** A comparison that is not known where a value is null. */
    static Boolean known(Object one, Object other, boolean truth) {
        return one == null || other == null ? null : Boolean.valueOf(truth);
    }

    // Numbers.

    static Byte plus(Byte one, Byte other) {
        return one == null || other == null ? null : toTinyint(Integer.valueOf(one + other));
    }

    static Short plus(Short one, Short other) {
        return one == null || other == null ? null : toSmallint(Integer.valueOf(one + other));
    }

    static Integer plus(Integer one, Integer other) {
        return one == null || other == null ? null : Integer.valueOf(Math.addExact(one, other));
    }

    static Long plus(Long one, Long other) {
        return one == null || other == null ? null : Long.valueOf(Math.addExact(one, other));
    }

    static BigInteger plus(BigInteger one, BigInteger other) {
        return one == null || other == null ? null : one.add(other);
    }

    static BigDecimal plus(BigDecimal one, BigDecimal other) {
        return one == null || other == null ? null : trim(one.add(other));
    }

    static Float plus(Float one, Float other) {
        return one == null || other == null ? null : Float.valueOf(one + other);
    }

    static Double plus(Double one, Double other) {
        return one == null || other == null ? null : Double.valueOf(one + other);
    }

    static Byte minus(Byte one, Byte other) {
        return one == null || other == null ? null : toTinyint(Integer.valueOf(one - other));
    }

    static Short minus(Short one, Short other) {
        return one == null || other == null ? null : toSmallint(Integer.valueOf(one - other));
    }

    static Integer minus(Integer one, Integer other) {
        return one == null || other == null ? null : Integer.valueOf(Math.subtractExact(one, other));
    }

    static Long minus(Long one, Long other) {
        return one == null || other == null ? null : Long.valueOf(Math.subtractExact(one, other));
    }

    static BigInteger minus(BigInteger one, BigInteger other) {
        return one == null || other == null ? null : one.subtract(other);
    }

    static BigDecimal minus(BigDecimal one, BigDecimal other) {
        return one == null || other == null ? null : trim(one.subtract(other));
    }

    static Float minus(Float one, Float other) {
        return one == null || other == null ? null : Float.valueOf(one - other);
    }

    static Double minus(Double one, Double other) {
        return one == null || other == null ? null : Double.valueOf(one - other);
    }

    static Byte times(Byte one, Byte other) {
        return one == null || other == null ? null : toTinyint(Integer.valueOf(one * other));
    }

    static Short times(Short one, Short other) {
        return one == null || other == null ? null : toSmallint(Integer.valueOf(one * other));
    }

    static Integer times(Integer one, Integer other) {
        return one == null || other == null ? null : Integer.valueOf(Math.multiplyExact(one, other));
    }

    static Long times(Long one, Long other) {
        return one == null || other == null ? null : Long.valueOf(Math.multiplyExact(one, other));
    }

    static BigInteger times(BigInteger one, BigInteger other) {
        return one == null || other == null ? null : one.multiply(other);
    }

    static BigDecimal times(BigDecimal one, BigDecimal other) {
        return one == null || other == null ? null : trim(one.multiply(other));
    }

    static Float times(Float one, Float other) {
        return one == null || other == null ? null : Float.valueOf(one * other);
    }

    static Double times(Double one, Double other) {
        return one == null || other == null ? null : Double.valueOf(one * other);
    }

    static Double quotient(Number sum, Number count) {
        return sum == null || isZero(count) ? null : Double.valueOf(sum.doubleValue() / count.doubleValue());
    }

    /** Whether a count is 0 or null. */
    static boolean isZero(Number count) {
        return count == null || count.longValue() == 0;
    }

    /** The same number without zeros at the end of its fraction. */
    private static BigDecimal trim(BigDecimal number) {
        if (number.scale() <= 0) {
            return number;
        }
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    static BigDecimal round(BigDecimal number, int digits) {
        return number == null || number.scale() <= digits
                ? number
                : trim(number.setScale(digits, RoundingMode.HALF_UP));
    }

    static Byte toTinyint(Number value) {
        return value == null ? null : Byte.valueOf(wholeOf(value).byteValueExact());
    }

    static Short toSmallint(Number value) {
        return value == null ? null : Short.valueOf(wholeOf(value).shortValueExact());
    }

    static Integer toInt(Number value) {
        return value == null ? null : Integer.valueOf(wholeOf(value).intValueExact());
    }

    static Long toBigint(Number value) {
        return value == null || value instanceof Long ? (Long) value : Long.valueOf(wholeOf(value).longValueExact());
    }

    static BigInteger toVarint(Number value) {
        return value == null ? null : wholeOf(value);
    }

    static Float toFloat(Number value) {
        return value == null ? null : Float.valueOf(value.floatValue());
    }

    static Double toDouble(Number value) {
        return value == null ? null : Double.valueOf(value.doubleValue());
    }

    static BigDecimal toDecimal(Number value) {
        return value == null ? null : trim(decimalOf(value));
    }

    /** A whole number; halves are rounded away from zero. */
    private static BigInteger wholeOf(Number value) {
        if (value instanceof BigInteger number) {
            return number;
        }
        if (value instanceof BigDecimal || value instanceof Double || value instanceof Float) {
            return decimalOf(value).setScale(0, RoundingMode.HALF_UP).toBigInteger();
        }
        return BigInteger.valueOf(value.longValue());
    }

    private static BigDecimal decimalOf(Number value) {
        if (value instanceof BigDecimal number) {
            return number;
        }
        if (value instanceof BigInteger number) {
            return new BigDecimal(number);
        }
        if (value instanceof Double || value instanceof Float) {
            return new BigDecimal(value.toString());
        }
        return BigDecimal.valueOf(value.longValue());
    }

    static <T extends Number> T absolute(T value, UnaryMinus<T> minus, Comparator<? super T> order, T zero) {
        return value != null && order.compare(value, zero) < 0 ? minus.of(zero, value) : value;
    }

    /** The difference of two numbers. */
    interface UnaryMinus<T> {
        T of(T one, T other);
    }

    // Texts.

    static String toText(Object value) {
        return value == null ? null : value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    }

    static String concatenate(String one, String other) {
        return one == null || other == null ? null : one + other;
    }

    static String lower(String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    static String upper(String text) {
        return text == null ? null : text.toUpperCase(Locale.ROOT);
    }

    static Integer length(String text) {
        return text == null ? null : Integer.valueOf(text.codePointCount(0, text.length()));
    }

    /** A text without spaces at both ends. */
    static String trim(String text) {
        if (text == null) {
            return null;
        }
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (from < to && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    /** The first characters of a text. */
    static String prefix(String text, int length) {
        if (text == null || text.codePointCount(0, text.length()) <= length) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, length));
    }

    /** The least text that is greater than all texts with this prefix. */
    static String prefixEnd(String prefix) {
        if (prefix == null) {
            return null;
        }
        int[] points = prefix.codePoints().toArray();
        for (int last = points.length - 1; last >= 0; last--) {
            if (points[last] < Character.MAX_CODE_POINT) {
                points[last] = points[last] == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : points[last] + 1;
                return new String(points, 0, last + 1);
            }
        }
        return Character.toString(Character.MAX_CODE_POINT).repeat(4);
    }

    // Others.

    @SafeVarargs
    @SuppressWarnings("varargs")
    static <T> T coalesce(T... values) {
        for (T value : values) {
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** The greater of two values; a null gives the other one. */
    static <T> T greatest(T one, T other, Comparator<? super T> order) {
        return one == null || (other != null && order.compare(other, one) > 0) ? other : one;
    }

    /** The lesser of two values; a null gives the other one. */
    static <T> T least(T one, T other, Comparator<? super T> order) {
        return one == null || (other != null && order.compare(other, one) < 0) ? other : one;
    }

    /** Two values as one; a null gives the other one. */
    static <T> T fold(T one, T other, BinaryOperator<T> operator) {
        return one == null ? other : other == null ? one : operator.apply(one, other);
    }

    /** The values of all rows as one. */
    static <R, T> T foldAll(List<R> rows, Function<? super R, ? extends T> value, BinaryOperator<T> operator) {
        T result = null;
        for (R row : rows) {
            result = fold(result, value.apply(row), operator);
        }
        return result;
    }

    /** How many rows have a value. */
    static <R> Long count(List<R> rows, Function<? super R, ?> value) {
        return rows.stream().filter(row -> value.apply(row) != null).count();
    }

    static <T> List<T> singletonList(T element) {
        return element == null ? null : new ArrayList<>(List.of(element));
    }

    static <T> Set<T> singletonSet(T element) {
        return element == null ? null : new LinkedHashSet<>(Set.of(element));
    }

    static <T> List<T> toList(Collection<? extends T> elements) {
        return elements == null ? null : new ArrayList<>(elements);
    }

    static <T> Set<T> toSet(Collection<? extends T> elements) {
        return elements == null ? null : new LinkedHashSet<>(elements);
    }

    /** The elements with one more at the end. */
    static <T> List<T> append(Collection<? extends T> elements, T element) {
        List<T> changed = elements == null ? new ArrayList<>() : new ArrayList<>(elements);
        if (element != null) {
            changed.add(element);
        }
        return changed;
    }

    /** The elements without those that equal a value. */
    static <T> List<T> remove(Collection<? extends T> elements, T element) {
        List<T> changed = elements == null ? null : new ArrayList<>(elements);
        if (changed != null) {
            changed.removeIf(one -> isEqual(one, element));
        }
        return changed;
    }

    static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException error) {
            throw new IllegalArgumentException(text, error);
        }
    }

    static LocalDate toDate(Instant time) {
        return time == null ? null : LocalDate.ofEpochDay(Math.floorDiv(time.toEpochMilli(), DAY_MILLIS));
    }

    static Instant toTimestamp(LocalDate date) {
        return date == null ? null : Instant.ofEpochMilli(date.toEpochDay() * DAY_MILLIS);
    }

    /** The time after some months, days and milliseconds. */
    static Instant shift(Instant time, int months, int days, long millis) {
        return time.atOffset(ZoneOffset.UTC).plusMonths(months).plusDays(days).toInstant().plusMillis(millis);
    }

    static LocalTime timeOf(Instant time) {
        return time.atOffset(ZoneOffset.UTC).toLocalTime();
    }

    /** A new time-based id of this time. */
    static UUID timeIdOf(Instant time) {
        UUID least = Uuids.startOf(time.toEpochMilli());
        long clock = 0x8000_0000_0000_0000L | (ThreadLocalRandom.current().nextLong() >>> 2);
        return new UUID(least.getMostSignificantBits(), clock);
    }

    // Buckets.

    /** What a bucket is measured in. */
    enum Unit {
        HOURS,
        DAYS,
        WEEKS,
        MONTHS,
        RANGE
    }

    /** The width of a bucket. */
    record Width(Unit unit, long count) {
        boolean isRange() {
            return unit == Unit.RANGE;
        }

        /** The number of the bucket of a value. */
        Long numberOf(Object value) {
            if (value == null) {
                return null;
            }
            if (unit == Unit.RANGE) {
                return Math.floorDiv(((Number) value).longValue(), count);
            }
            long millis = millisOf(value);
            long days = Math.floorDiv(millis, DAY_MILLIS);
            long units = switch (unit) {
                case HOURS -> Math.floorDiv(millis, 3_600_000L);
                case WEEKS -> Math.floorDiv(days + 3, 7L);
                case MONTHS -> LocalDate.ofEpochDay(days).getYear() * 12L - 1970 * 12L
                        + LocalDate.ofEpochDay(days).getMonthValue() - 1;
                default -> days;
            };
            return Math.floorDiv(units, count);
        }

        /** The number of the bucket that a value of the bucket's column stands for. */
        Long numberOfColumn(Object value) {
            return unit == Unit.RANGE ? (Long) value : numberOf(value);
        }

        /** The column of a bucket of hours. */
        Instant time(Long number) {
            return number == null ? null : Instant.ofEpochMilli(number * count * 3_600_000L);
        }

        /** The column of a bucket of days, weeks or months. */
        LocalDate date(Long number) {
            if (number == null) {
                return null;
            }
            long units = number * count;
            return switch (unit) {
                case WEEKS -> LocalDate.ofEpochDay(units * 7 - 3);
                case MONTHS -> LocalDate.of((int) (Math.floorDiv(units, 12L) + 1970), (int) Math.floorMod(units, 12L) + 1, 1);
                default -> LocalDate.ofEpochDay(units);
            };
        }
    }

    /** The bucket of hours in which a value falls. */
    static Instant timeBucket(Width width, Object value) {
        return width.time(width.numberOf(value));
    }

    /** The bucket of days, weeks or months in which a value falls. */
    static LocalDate dateBucket(Width width, Object value) {
        return width.date(width.numberOf(value));
    }

    /** The range in which a whole number falls. */
    static Long rangeBucket(Width width, Number value) {
        return width.numberOf(value);
    }

    private static long millisOf(Object value) {
        if (value instanceof Instant time) {
            return time.toEpochMilli();
        }
        if (value instanceof LocalDate date) {
            return date.toEpochDay() * DAY_MILLIS;
        }
        return Math.floorDiv(ticks((UUID) value), 10_000L) - 12_219_292_800_000L;
    }

    /** The time of a time-based id, in units of 100 ns since 1582. */
    private static long ticks(UUID id) {
        long high = id.getMostSignificantBits();
        return (high >>> 32) | ((high & 0xffff_0000L) << 16) | ((high & 0x0fffL) << 48);
    }

    /** A write timestamp by which the row of an older bucket wins. */
    static Long oldestWins(Object bucket) {
        if (bucket == null) {
            return null;
        }
        return OLDEST_WINS - (bucket instanceof Number number ? number.longValue() : millisOf(bucket));
    }

    /** A write timestamp by which the row of a newer bucket wins. */
    static Long newestWins(Number bucket) {
        return bucket == null ? null : Long.valueOf(OLDEST_WINS + bucket.longValue());
    }

    // Shards.

    /** A value for {@link #shard}. */
    static <T> ByteBuffer bytes(TypeCodec<T> codec, T value) {
        return value == null ? null : codec.encode(value, ProtocolVersion.DEFAULT);
    }

    /** The Murmur3 token of the values, composed as a partition key, modulo a count. */
    static Integer shard(int count, ByteBuffer... values) {
        int size = 0;
        boolean isKey = true;
        for (ByteBuffer value : values) {
            if (value == null) {
                return null;
            }
            size += value.remaining() + 3;
            isKey &= value.remaining() <= 0xffff;
        }
        ByteBuffer key = ByteBuffer.allocate(size);
        for (ByteBuffer value : values) {
            if (isKey && values.length > 1) {
                key.putShort((short) value.remaining()).put(value.duplicate()).put((byte) 0);
            } else {
                key.put(value.duplicate());
            }
        }
        return (int) Math.floorMod(token(key.flip()), (long) count);
    }

    /** The token of a partition key. */
    static long token(ByteBuffer key) {
        int length = key.remaining();
        if (length == 0) {
            return Long.MIN_VALUE;
        }
        ByteBuffer data = key.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        long h1 = 0;
        long h2 = 0;
        while (data.remaining() >= 16) {
            h1 ^= mixFirst(data.getLong());
            h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729L;
            h2 ^= mixSecond(data.getLong());
            h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5L;
        }
        long k1 = 0;
        long k2 = 0;
        // Cassandra takes the last bytes as signed numbers.
        for (int at = 0; data.hasRemaining(); at++) {
            long signed = data.get();
            if (at < 8) {
                k1 ^= signed << (8 * at);
            } else {
                k2 ^= signed << (8 * (at - 8));
            }
        }
        h2 ^= mixSecond(k2);
        h1 ^= mixFirst(k1);
        h1 ^= length;
        h2 ^= length;
        h1 += h2;
        h2 += h1;
        h1 = finish(h1);
        h2 = finish(h2);
        h1 += h2;
        return h1 == Long.MIN_VALUE ? Long.MAX_VALUE : h1;
    }

    private static long mixFirst(long k) {
        return Long.rotateLeft(k * 0x87c37b91114253d5L, 31) * 0x4cf5ad432745937fL;
    }

    private static long mixSecond(long k) {
        return Long.rotateLeft(k * 0x4cf5ad432745937fL, 33) * 0x87c37b91114253d5L;
    }

    private static long finish(long k) {
        long h = k;
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }
}
