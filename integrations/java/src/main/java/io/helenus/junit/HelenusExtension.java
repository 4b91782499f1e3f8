package io.helenus.junit;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts a server for each set of options, and restores its data after each test. */
public final class HelenusExtension
    implements BeforeAllCallback, AfterEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(HelenusExtension.class);
  private static final String SNAPSHOT = "junit";

  /** Closed by JUnit when all tests have run. */
  private record StoredServer(HelenusServer server)
      implements ExtensionContext.Store.CloseableResource {
    @Override
    public void close() {
      server.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    server(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    HelenusServer server = server(context);
    server.clearFaults();
    server.resetClock();
    server.restoreSnapshot(SNAPSHOT);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == HelenusServer.class || type == CqlSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    boolean isServer = parameter.getParameter().getType() == HelenusServer.class;
    return isServer ? server(context) : server(context).session();
  }

  private static HelenusServer server(ExtensionContext context) {
    Helenus options = context.getRequiredTestClass().getAnnotation(Helenus.class);
    List<String> arguments = new ArrayList<>();
    if (options != null) {
      Arrays.stream(options.init()).forEach(path -> arguments.addAll(List.of("--init", path)));
      arguments.addAll(List.of(options.arguments()));
    }
    // Classes with the same options share a server.
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(arguments, HelenusExtension::start, StoredServer.class)
        .server();
  }

  private static StoredServer start(List<String> arguments) {
    try {
      HelenusServer server = HelenusServer.start(arguments);
      server.takeSnapshot(SNAPSHOT);
      return new StoredServer(server);
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
