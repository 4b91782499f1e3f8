package killrvideo.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.UUID;

/** What a handler gets: the parts of the path that its route names, the query and the JSON object of the body. */
record Request(Map<String, String> parts, Map<String, String> query, JsonNode body) {
    UUID part(String name) {
        return parseUuid(name, parts.get(name));
    }

    UUID uuid(String name) {
        return parseUuid(name, text(name));
    }

    String text(String name) {
        String value = optionalText(name);
        if (value == null || value.isEmpty()) {
            throw new HttpError(400, name + " is missing");
        }
        return value;
    }

    String optionalText(String name) {
        return body.path(name).textValue();
    }

    static UUID parseUuid(String name, String value) {
        try {
            return UUID.fromString(value);
        } catch (IllegalArgumentException | NullPointerException error) {
            throw new HttpError(400, name + " is not a UUID");
        }
    }

    static Instant parseTime(String name, String value) {
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException error) {
            throw new HttpError(400, name + " is not a time");
        }
    }

    boolean isPaged() {
        return query.containsKey("size");
    }

    int size() {
        String size = query.get("size");
        if (!size.matches("[1-9][0-9]?|100")) {
            throw new HttpError(400, "size must be a number from 1 to 100");
        }
        return Integer.parseInt(size);
    }
}
