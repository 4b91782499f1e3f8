package killrvideo.service;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import killrvideo.Page;

/** Rows as JSON, with Jackson, which the driver depends on. */
final class Json {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    private Json() {}

    static ObjectMapper mapper() {
        SimpleModule module = new SimpleModule();
        add(module, Instant.class, (value, generator) -> generator.writeString(TIME.format(value)));
        add(module, Page.class, (value, generator) -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("rows", value.rows());
            fields.put("next", value.next().orElse(null));
            generator.writePOJO(fields);
        });
        add(module, Set.class, (value, generator) -> generator.writePOJO(new TreeSet<>((Collection<?>) value).toArray()));
        return new ObjectMapper()
                .registerModule(module)
                .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    }

    private interface Writer<T> {
        void write(T value, JsonGenerator generator) throws IOException;
    }

    private static <T> void add(SimpleModule module, Class<T> type, Writer<T> writer) {
        module.addSerializer(type, new JsonSerializer<T>() {
            @Override
            public void serialize(T value, JsonGenerator generator, SerializerProvider provider) throws IOException {
                writer.write(value, generator);
            }
        });
    }
}
