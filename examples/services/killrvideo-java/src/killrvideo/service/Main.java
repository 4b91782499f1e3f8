package killrvideo.service;

import com.datastax.oss.driver.api.core.CqlSession;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;
import killrvideo.KillrvideoAccess;

/** Starts the service: {@code Main CASSANDRA_PORT PORT [PORT_FILE]}; port 0 selects a free one. */
public final class Main {
    private static final int THREADS = 16;

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])))
                .withLocalDatacenter("datacenter1")
                .withKeyspace("killrvideo")
                .build();
        Router router = new Service(new KillrvideoAccess(session)).router();
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", router);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        if (arguments.length > 2) {
            Path file = Path.of(arguments[2]);
            Path written = Path.of(arguments[2] + ".new");
            Files.writeString(written, server.getAddress().getPort() + "\n");
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
