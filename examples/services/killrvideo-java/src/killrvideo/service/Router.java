package killrvideo.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import killrvideo.ConstraintViolation;

/** Finds the handler of a request, and writes what it returns as JSON. */
final class Router implements HttpHandler {
    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

    private record Route(String method, Pattern path, List<String> names, Function<Request, Answer> handler) {}

    private final List<Route> routes = new ArrayList<>();
    private final ObjectMapper json = Json.mapper();

    /** Adds a route, written as {@code GET /videos/{video}}. */
    void add(String route, Function<Request, Answer> handler) {
        String[] words = route.split(" ");
        List<String> names = NAME.matcher(words[1]).results().map(it -> it.group(1)).toList();
        Pattern path = Pattern.compile(NAME.matcher(words[1]).replaceAll("([^/]+)"));
        routes.add(new Route(words[0], path, names, handler));
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (answer.value() == null) {
                exchange.sendResponseHeaders(answer.status(), -1);
                return;
            }
            byte[] body = (json.writeValueAsString(answer.value()) + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        try {
            return route(exchange);
        } catch (HttpError error) {
            return new Answer(error.status(), Map.of("error", error.getMessage()));
        } catch (RuntimeException error) {
            Throwable cause = error instanceof CompletionException ? error.getCause() : error;
            if (cause instanceof ConstraintViolation) {
                return new Answer(409, Map.of("error", cause.getMessage()));
            }
            // The token of a page is not one.
            if (cause instanceof IllegalArgumentException) {
                return new Answer(400, Map.of("error", cause.getMessage()));
            }
            error.printStackTrace();
            return new Answer(500, Map.of("error", "the request failed; see the log"));
        }
    }

    private Answer route(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        for (Route route : routes) {
            Matcher matcher = route.path().matcher(path);
            if (route.method().equals(exchange.getRequestMethod()) && matcher.matches()) {
                Map<String, String> parts = new HashMap<>();
                for (int index = 0; index < route.names().size(); index++) {
                    parts.put(route.names().get(index), matcher.group(index + 1));
                }
                Map<String, String> query = parseQuery(exchange.getRequestURI().getRawQuery());
                return route.handler().apply(new Request(parts, query, parseBody(exchange)));
            }
        }
        throw new HttpError(404, "no such resource: " + exchange.getRequestMethod() + " " + path);
    }

    private JsonNode parseBody(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            JsonNode value = body.length == 0 ? json.createObjectNode() : json.readTree(body);
            if (value.isObject()) {
                return value;
            }
        } catch (JsonProcessingException error) {
            throw new HttpError(400, "the body is not JSON: " + error.getOriginalMessage());
        }
        throw new HttpError(400, "the body is not a JSON object");
    }

    private static Map<String, String> parseQuery(String query) {
        Map<String, String> values = new HashMap<>();
        if (query != null) {
            for (String pair : query.split("&")) {
                String[] sides = pair.split("=", 2);
                String value = sides.length == 2 ? sides[1] : "";
                values.put(sides[0], URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        }
        return values;
    }
}
