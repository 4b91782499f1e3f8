// @HEADER@
package @PACKAGE@;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Calls functions for a proof: reads requests from its standard input, one JSON object in each line, and answers. */
final class ProofDriver implements AccessObserver {
    /** A machine that builds other programs meanwhile answers late. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final @ACCESS@ access;
    private final ProofClock clock = new ProofClock();
    private Outcome outcome;

    private ProofDriver(CqlSession session, Map<String, Object> limits) {
        AccessOptions options = AccessOptions.defaults()
                .withClock(clock)
                .withObserver(this)
                .withConcurrency(number(limits, "concurrency"))
                .withPageSize(number(limits, "page_size"))
                .withBatchLimits(number(limits, "batch_statements"), number(limits, "batch_bytes"));
        access = new @ACCESS@(session, options);
    }

    private static int number(Map<String, Object> object, String name) {
        return (int) Long.parseLong(object.get(name).toString());
    }

    /**
     * Runs until the input ends.
     *
     * @param arguments none
     * @throws IOException where the input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        // Libraries may print; only answers go to the standard output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ProofDriver driver = null;
        CqlSession session = null;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String answer;
            Map<String, Object> request = Json.object(new Json(line).value());
            if (request.containsKey("connect")) {
                try {
                    Map<String, Object> target = Json.object(request.get("connect"));
                    session = connect(target);
                    driver = new ProofDriver(session, Json.object(target.get("limits")));
                    answer = "{\"ready\":true}";
                } catch (RuntimeException error) {
                    answer = "{\"error\":" + describe("connection", error) + "}";
                }
            } else if (driver == null) {
                answer = "{\"id\":" + request.get("id") + ",\"error\":{\"kind\":\"connection\"}}";
            } else {
                answer = driver.answer(request);
            }
            answers.println(answer);
            answers.flush();
        }
        if (session != null) {
            session.close();
        }
    }

    private static CqlSession connect(Map<String, Object> target) {
        DriverConfigLoader loader = DriverConfigLoader.programmaticBuilder()
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .withBoolean(DefaultDriverOption.PREPARE_ON_ALL_NODES, false)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
                .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
                .build();
        int port = number(target, "port");
        CqlSessionBuilder builder = CqlSession.builder()
                .withConfigLoader(loader)
                .addContactPoint(new InetSocketAddress(target.get("host").toString(), port))
                .withKeyspace(CqlIdentifier.fromInternal(target.get("keyspace").toString()));
        if (target.get("user") != null) {
            builder = builder.withAuthCredentials(
                    target.get("user").toString(), String.valueOf(target.get("password")));
        }
        return builder.build();
    }

    @Override
    public void onFunction(String function, Outcome ended, Duration elapsed, Throwable error) {
        outcome = ended;
    }

    private String answer(Map<String, Object> request) {
        StringBuilder answer = new StringBuilder("{\"id\":").append(request.get("id"));
        outcome = null;
        clock.now = Instant.EPOCH.plusNanos(0).plus(Duration.ofNanos(1000).multipliedBy((Long) request.get("now")));
        List<List<String>> rows = List.of();
        ProofPage page = null;
        try {
            String name = request.get("call").toString();
            List<Object> args = Json.array(request.get("args"));
            page = request.get("page") == null ? null : readPage(name, args, Json.object(request.get("page")));
            rows = page == null ? call(name, args) : page.rows();
        } catch (ConstraintViolation error) {
            outcome = Outcome.VIOLATION;
        } catch (PartialWrite error) {
            if (error.getCause() != null) {
                return answer.append(",\"error\":").append(describe("driver", error)).append('}').toString();
            }
            outcome = Outcome.INTERRUPTED;
        } catch (UnrepresentableValue error) {
            return answer.append(",\"error\":").append(describe("unrepresentable", error)).append('}').toString();
        } catch (AccessException error) {
            return answer.append(",\"error\":").append(describe("driver", error)).append('}').toString();
        } catch (RuntimeException error) {
            return answer.append(",\"error\":").append(describe("program", error)).append('}').toString();
        }
        if (page != null) {
            answer.append(",\"token\":").append(page.next() == null ? "null" : Json.quote(page.next()));
        } else if (outcome != Outcome.READ) {
            String name = outcome == null ? "applied" : outcome.name().toLowerCase(Locale.ROOT);
            answer.append(",\"outcome\":\"").append(name).append('"');
        }
        answer.append(",\"rows\":[");
        for (int at = 0; at < rows.size(); at++) {
            answer.append(at == 0 ? "[" : ",[");
            for (int column = 0; column < rows.get(at).size(); column++) {
                String value = rows.get(at).get(column);
                answer.append(column == 0 ? "" : ",").append(value == null ? "null" : '"' + value + '"');
            }
            answer.append(']');
        }
        return answer.append("]}").toString();
    }

    private static String describe(String kind, RuntimeException error) {
        AccessException known = error instanceof AccessException access ? access : null;
        StringBuilder text = new StringBuilder("{\"kind\":").append(Json.quote(kind));
        text.append(",\"message\":").append(Json.quote(error.toString()));
        if (known != null) {
            text.append(",\"query\":").append(Json.quote(known.function()));
            if (known.cql() != null) {
                text.append(",\"step\":").append(Json.quote(known.table() + ": " + known.cql()));
            }
        }
        return text.append('}').toString();
    }

    private List<List<String>> call(String name, List<Object> args) {
        return switch (name) {
            @CASES@
            default -> throw new IllegalArgumentException("there is no function " + name);
        };
    }

    /** A page of a query; null: it has no form that returns pages. */
    private ProofPage readPage(String name, List<Object> args, Map<String, Object> request) {
        int size = number(request, "size");
        String token = request.get("token") == null ? null : request.get("token").toString();
        return switch (name) {
            @PAGES@
            default -> null;
        };
    }

    /** Rows, and where the next ones begin. */
    private record ProofPage(List<List<String>> rows, String next) {}

    private static <T> T decode(TypeCodec<T> codec, Object hex) {
        if (hex == null) {
            return null;
        }
        try {
            return codec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex.toString())), ProtocolVersion.DEFAULT);
        } catch (RuntimeException error) {
            throw new UnrepresentableValue(error.toString());
        }
    }

    private static <T> T required(TypeCodec<T> codec, Object hex, String name) {
        T value = decode(codec, hex);
        if (value == null) {
            throw new UnrepresentableValue(name + " is null");
        }
        return value;
    }

    private static <T> String encode(TypeCodec<T> codec, T value) {
        ByteBuffer bytes = codec.encode(value, ProtocolVersion.DEFAULT);
        if (bytes == null) {
            return null;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return HexFormat.of().formatHex(copy);
    }

    @CALLS@

    /** A value that the types of the functions do not have. */
    private static final class UnrepresentableValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnrepresentableValue(String message) {
            super(message);
        }
    }

    /** A clock that stands still. */
    private static final class ProofClock extends Clock {
        private volatile Instant now = Instant.EPOCH;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    /** Reads JSON. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return (Map<String, Object>) value;
        }

        @SuppressWarnings("unchecked")
        static List<Object> array(Object value) {
            return (List<Object>) value;
        }

        static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char one : String.valueOf(text).toCharArray()) {
                if (one == '"' || one == '\\') {
                    quoted.append('\\').append(one);
                } else if (one < ' ' || one > '~') {
                    quoted.append(String.format("\\u%04x", (int) one));
                } else {
                    quoted.append(one);
                }
            }
            return quoted.append('"').toString();
        }

        Object value() {
            skip();
            char first = text.charAt(at);
            if (first == '{') {
                Map<String, Object> members = new LinkedHashMap<>();
                for (at++, skip(); text.charAt(at) != '}'; skip()) {
                    String key = string();
                    skip();
                    at++;
                    members.put(key, value());
                    comma();
                }
                at++;
                return members;
            }
            if (first == '[') {
                List<Object> elements = new ArrayList<>();
                for (at++, skip(); text.charAt(at) != ']'; skip()) {
                    elements.add(value());
                    comma();
                }
                at++;
                return elements;
            }
            return first == '"' ? string() : word();
        }

        private Object word() {
            int from = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true" -> Boolean.TRUE;
                case "false" -> Boolean.FALSE;
                default -> Long.valueOf(word);
            };
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char one = text.charAt(at);
                if (one != '\\') {
                    string.append(one);
                    continue;
                }
                at++;
                char escaped = text.charAt(at);
                if (escaped == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int control = "bfnrt".indexOf(escaped);
                    string.append(control < 0 ? escaped : "\b\f\n\r\t".charAt(control));
                }
            }
            at++;
            return string.toString();
        }

        private void comma() {
            skip();
            if (text.charAt(at) == ',') {
                at++;
            }
        }

        private void skip() {
            while (at < text.length() && text.charAt(at) <= ' ') {
                at++;
            }
        }
    }
}
